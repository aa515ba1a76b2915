"""The functions that printed programs call, in CUDA C, for each precision.

Those of float32 are the hardware's exponentials and reciprocals. An exponential is at most 10¹⁸, so that a
product of two is a number. NaN stays NaN.
"""

from __future__ import annotations

_FAST = """\
typedef float number;
__device__ __forceinline__ number power(number x) {
  number e;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(x * 1.4426950408889634f));
  asm("min.NaN.f32 %0, %0, %1;" : "+f"(e) : "f"(1e18f));
  return e;
}
__device__ __forceinline__ number quotient(number x, number y) {
  number inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(y));
  return x * inverse;
}
__device__ __forceinline__ number exact_quotient(number x, number y) {  // rounded about once
  number inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(y));
  const number q = x * inverse;
  return fma(inverse, fma(-y, q, x), q);
}
__device__ __forceinline__ number root(number x) {
  number y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
"""

_ACCURATE = """\
typedef double number;
__device__ __forceinline__ number power(number x) {
  const number e = exp(x), most = 1e18;
  return e > most ? most : e;
}
__device__ __forceinline__ number quotient(number x, number y) { return x / y; }
__device__ __forceinline__ number exact_quotient(number x, number y) { return x / y; }
__device__ __forceinline__ number root(number x) { return sqrt(x); }
"""

_BOTH = """\
__device__ __forceinline__ number sigmoid(number x) { return quotient(1, 1 + power(-x)); }
__device__ __forceinline__ number tangent(number x) {
  const number e = power(-2 * x);
  return exact_quotient(1 - e, 1 + e);
}
__device__ __forceinline__ number sigmoid_times_tangent(number x, number y) {
  const number e = power(-2 * y);
  return exact_quotient(1 - e, (1 + power(-x)) * (1 + e));
}
__device__ __forceinline__ number relu(number x) { return x < 0 ? 0 : x; }
__device__ __forceinline__ number absolute(number x) { return x < 0 ? -x : x; }
__device__ __forceinline__ number smaller(number x, number y) { return x < y || x != x ? x : y; }
__device__ __forceinline__ number larger(number x, number y) { return x > y || x != x ? x : y; }
"""


def functions(precision: str) -> str:
    """The beginning of a program: what `number` is, and the functions of numbers."""
    return (_FAST if precision == "float32" else _ACCURATE) + _BOTH
