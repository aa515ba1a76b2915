"""The CUDA target: thousands of runs side by side on an NVIDIA device."""
