// Arithmetic of CUDA's vector types, by the names that NVIDIA's samples give it.
#ifndef KERNELWRIGHT_HELPER_MATH_H
#define KERNELWRIGHT_HELPER_MATH_H

#include <cmath>
#include <cuda_runtime.h>

typedef unsigned int uint;
typedef unsigned short ushort;

#define KERNELWRIGHT_MATH inline __host__ __device__

#ifndef __CUDACC__
inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
#endif

// In each list, EACH(a, b) stands for what is done with a component of two operands.
#define KERNELWRIGHT_2(VECTOR, EACH, a, b) make_##VECTOR(EACH(a, b, x), EACH(a, b, y))
#define KERNELWRIGHT_3(VECTOR, EACH, a, b) make_##VECTOR(EACH(a, b, x), EACH(a, b, y), EACH(a, b, z))
#define KERNELWRIGHT_4(VECTOR, EACH, a, b) \
  make_##VECTOR(EACH(a, b, x), EACH(a, b, y), EACH(a, b, z), EACH(a, b, w))

#define KERNELWRIGHT_ADD(a, b, at) a.at + b.at
#define KERNELWRIGHT_ADD_RIGHT(a, b, at) a.at + b
#define KERNELWRIGHT_ADD_LEFT(a, b, at) a + b.at
#define KERNELWRIGHT_SUBTRACT(a, b, at) a.at - b.at
#define KERNELWRIGHT_SUBTRACT_RIGHT(a, b, at) a.at - b
#define KERNELWRIGHT_SUBTRACT_LEFT(a, b, at) a - b.at
#define KERNELWRIGHT_MULTIPLY(a, b, at) a.at * b.at
#define KERNELWRIGHT_MULTIPLY_RIGHT(a, b, at) a.at * b
#define KERNELWRIGHT_MULTIPLY_LEFT(a, b, at) a * b.at
#define KERNELWRIGHT_DIVIDE(a, b, at) a.at / b.at
#define KERNELWRIGHT_DIVIDE_RIGHT(a, b, at) a.at / b
#define KERNELWRIGHT_DIVIDE_LEFT(a, b, at) a / b.at
#define KERNELWRIGHT_SAME(a, b, at) a
#define KERNELWRIGHT_CONVERT(a, b, at) static_cast<b>(a.at)
#define KERNELWRIGHT_NEGATE(a, b, at) -a.at
#define KERNELWRIGHT_SMALLER(a, b, at) (b.at < a.at ? b.at : a.at)
#define KERNELWRIGHT_GREATER(a, b, at) (b.at > a.at ? b.at : a.at)
#define KERNELWRIGHT_FLOOR(a, b, at) floorf(a.at)
#define KERNELWRIGHT_FRACTION(a, b, at) a.at - floorf(a.at)
#define KERNELWRIGHT_ABSOLUTE(a, b, at) fabsf(a.at)
#define KERNELWRIGHT_REMAINDER(a, b, at) fmodf(a.at, b.at)

#define KERNELWRIGHT_OPERATOR(VECTOR, NUMBER, SIGN, WORD, LIST) \
  KERNELWRIGHT_MATH VECTOR operator SIGN(VECTOR a, VECTOR b) { return LIST(VECTOR, WORD, a, b); } \
  KERNELWRIGHT_MATH VECTOR operator SIGN(VECTOR a, NUMBER b) { return LIST(VECTOR, WORD##_RIGHT, a, b); } \
  KERNELWRIGHT_MATH VECTOR operator SIGN(NUMBER a, VECTOR b) { return LIST(VECTOR, WORD##_LEFT, a, b); } \
  KERNELWRIGHT_MATH void operator SIGN##=(VECTOR &a, VECTOR b) { a = a SIGN b; } \
  KERNELWRIGHT_MATH void operator SIGN##=(VECTOR &a, NUMBER b) { a = a SIGN b; }

#define KERNELWRIGHT_VECTOR(VECTOR, NUMBER, LIST, LEAST, MOST) \
  KERNELWRIGHT_MATH VECTOR make_##VECTOR(NUMBER a) { return LIST(VECTOR, KERNELWRIGHT_SAME, a, a); } \
  KERNELWRIGHT_OPERATOR(VECTOR, NUMBER, +, KERNELWRIGHT_ADD, LIST) \
  KERNELWRIGHT_OPERATOR(VECTOR, NUMBER, -, KERNELWRIGHT_SUBTRACT, LIST) \
  KERNELWRIGHT_OPERATOR(VECTOR, NUMBER, *, KERNELWRIGHT_MULTIPLY, LIST) \
  KERNELWRIGHT_MATH VECTOR LEAST(VECTOR a, VECTOR b) { return LIST(VECTOR, KERNELWRIGHT_SMALLER, a, b); } \
  KERNELWRIGHT_MATH VECTOR MOST(VECTOR a, VECTOR b) { return LIST(VECTOR, KERNELWRIGHT_GREATER, a, b); } \
  KERNELWRIGHT_MATH VECTOR clamp(VECTOR v, VECTOR a, VECTOR b) { return MOST(a, LEAST(v, b)); } \
  KERNELWRIGHT_MATH VECTOR clamp(VECTOR v, NUMBER a, NUMBER b) { \
    return clamp(v, make_##VECTOR(a), make_##VECTOR(b)); \
  }

#define KERNELWRIGHT_FLOATS(VECTOR, LIST) \
  KERNELWRIGHT_VECTOR(VECTOR, float, LIST, fminf, fmaxf) \
  KERNELWRIGHT_OPERATOR(VECTOR, float, /, KERNELWRIGHT_DIVIDE, LIST) \
  KERNELWRIGHT_MATH VECTOR operator-(const VECTOR &a) { return LIST(VECTOR, KERNELWRIGHT_NEGATE, a, a); } \
  KERNELWRIGHT_MATH VECTOR lerp(VECTOR a, VECTOR b, float t) { return a + t * (b - a); } \
  KERNELWRIGHT_MATH VECTOR floorf(VECTOR a) { return LIST(VECTOR, KERNELWRIGHT_FLOOR, a, a); } \
  KERNELWRIGHT_MATH VECTOR fracf(VECTOR a) { return LIST(VECTOR, KERNELWRIGHT_FRACTION, a, a); } \
  KERNELWRIGHT_MATH VECTOR fabs(VECTOR a) { return LIST(VECTOR, KERNELWRIGHT_ABSOLUTE, a, a); } \
  KERNELWRIGHT_MATH VECTOR fmodf(VECTOR a, VECTOR b) { return LIST(VECTOR, KERNELWRIGHT_REMAINDER, a, b); } \
  KERNELWRIGHT_MATH float length(VECTOR a) { return sqrtf(dot(a, a)); } \
  KERNELWRIGHT_MATH VECTOR normalize(VECTOR a) { return a * rsqrtf(dot(a, a)); } \
  KERNELWRIGHT_MATH VECTOR reflect(VECTOR i, VECTOR n) { return i - 2.0f * n * dot(n, i); } \
  KERNELWRIGHT_MATH VECTOR smoothstep(VECTOR a, VECTOR b, VECTOR x) { \
    const VECTOR y = clamp((x - a) / (b - a), 0.0f, 1.0f); \
    return y * y * (make_##VECTOR(3.0f) - make_##VECTOR(2.0f) * y); \
  }

#define KERNELWRIGHT_DOTS(VECTOR2, VECTOR3, VECTOR4, NUMBER) \
  KERNELWRIGHT_MATH NUMBER dot(VECTOR2 a, VECTOR2 b) { return a.x * b.x + a.y * b.y; } \
  KERNELWRIGHT_MATH NUMBER dot(VECTOR3 a, VECTOR3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
  KERNELWRIGHT_MATH NUMBER dot(VECTOR4 a, VECTOR4 b) { \
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; \
  }

#define KERNELWRIGHT_SIZES(KIND, NUMBER) \
  KERNELWRIGHT_MATH KIND##2 make_##KIND##2(KIND##3 a) { return make_##KIND##2(a.x, a.y); } \
  KERNELWRIGHT_MATH KIND##3 make_##KIND##3(KIND##2 a) { return make_##KIND##3(a.x, a.y, 0); } \
  KERNELWRIGHT_MATH KIND##3 make_##KIND##3(KIND##2 a, NUMBER z) { return make_##KIND##3(a.x, a.y, z); } \
  KERNELWRIGHT_MATH KIND##3 make_##KIND##3(KIND##4 a) { return make_##KIND##3(a.x, a.y, a.z); } \
  KERNELWRIGHT_MATH KIND##4 make_##KIND##4(KIND##3 a) { return make_##KIND##4(a.x, a.y, a.z, 0); } \
  KERNELWRIGHT_MATH KIND##4 make_##KIND##4(KIND##3 a, NUMBER w) { return make_##KIND##4(a.x, a.y, a.z, w); }

#define KERNELWRIGHT_CONVERSIONS(TO, NUMBER, FROM) \
  KERNELWRIGHT_MATH TO##2 make_##TO##2(FROM##2 a) { return KERNELWRIGHT_2(TO##2, KERNELWRIGHT_CONVERT, a, NUMBER); } \
  KERNELWRIGHT_MATH TO##3 make_##TO##3(FROM##3 a) { return KERNELWRIGHT_3(TO##3, KERNELWRIGHT_CONVERT, a, NUMBER); } \
  KERNELWRIGHT_MATH TO##4 make_##TO##4(FROM##4 a) { return KERNELWRIGHT_4(TO##4, KERNELWRIGHT_CONVERT, a, NUMBER); }

KERNELWRIGHT_MATH float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
KERNELWRIGHT_MATH int clamp(int f, int a, int b) { return f < a ? a : (f > b ? b : f); }
KERNELWRIGHT_MATH uint clamp(uint f, uint a, uint b) { return f < a ? a : (f > b ? b : f); }
KERNELWRIGHT_MATH float fracf(float a) { return a - floorf(a); }
#if !defined(__cpp_lib_interpolate)
KERNELWRIGHT_MATH float lerp(float a, float b, float t) { return a + t * (b - a); }
#endif
KERNELWRIGHT_MATH float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

KERNELWRIGHT_DOTS(float2, float3, float4, float)
KERNELWRIGHT_DOTS(int2, int3, int4, int)
KERNELWRIGHT_DOTS(uint2, uint3, uint4, uint)
KERNELWRIGHT_FLOATS(float2, KERNELWRIGHT_2)
KERNELWRIGHT_FLOATS(float3, KERNELWRIGHT_3)
KERNELWRIGHT_FLOATS(float4, KERNELWRIGHT_4)
KERNELWRIGHT_VECTOR(int2, int, KERNELWRIGHT_2, min, max)
KERNELWRIGHT_VECTOR(int3, int, KERNELWRIGHT_3, min, max)
KERNELWRIGHT_VECTOR(int4, int, KERNELWRIGHT_4, min, max)
KERNELWRIGHT_VECTOR(uint2, uint, KERNELWRIGHT_2, min, max)
KERNELWRIGHT_VECTOR(uint3, uint, KERNELWRIGHT_3, min, max)
KERNELWRIGHT_VECTOR(uint4, uint, KERNELWRIGHT_4, min, max)
KERNELWRIGHT_SIZES(float, float)
KERNELWRIGHT_SIZES(int, int)
KERNELWRIGHT_SIZES(uint, uint)
KERNELWRIGHT_CONVERSIONS(float, float, int)
KERNELWRIGHT_CONVERSIONS(float, float, uint)
KERNELWRIGHT_CONVERSIONS(int, int, float)
KERNELWRIGHT_CONVERSIONS(int, int, uint)
KERNELWRIGHT_CONVERSIONS(uint, uint, int)

KERNELWRIGHT_MATH float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#endif
