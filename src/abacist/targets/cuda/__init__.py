"""The CUDA target: thousands of runs side by side on an NVIDIA device.

`emitter` prints statements as CUDA C; `training_program`, `judging_program` and `updating` are the programs;
`shapes` and `parameters` say which thread has what. `nvrtc` compiles, `driver` loads and runs; `words` and
`launching` bring data to the device and back; `target` is what others see.
"""
