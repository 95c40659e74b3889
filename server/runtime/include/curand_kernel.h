// cuRAND's generators for kernels on the virtual GPU: XORWOW, Philox4_32_10 and Sobol's sequences, whose numbers are
// those that cuRAND gives for the same seed, subsequence and offset, and distributions over them. Poisson numbers are
// made by methods of ours. A toolkit's own header is taken where there is one.
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include <math.h>
#include "curand.h"
#include "kernelwright_curand_generators.h"

#define KW_RANDOM static __inline__ __device__

#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_PI_DOUBLE (3.1415926535897932)

// One normal number of a pair is kept for the next call.
struct curandStateXORWOW {
  kernelwright_xorwow generator;
  float kept;
  double keptDouble;
  int hasKept;
  int hasKeptDouble;
};
struct curandStatePhilox4_32_10 {
  kernelwright_philox generator;
  float kept;
  double keptDouble;
  int hasKept;
  int hasKeptDouble;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

KW_RANDOM unsigned int curand(curandStateXORWOW_t *state) { return kernelwright_next(&state->generator); }
KW_RANDOM unsigned int curand(curandStatePhilox4_32_10_t *state) { return kernelwright_next(&state->generator); }

KW_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                           curandStateXORWOW_t *state) {
  kernelwright_seed(&state->generator, seed);
  kernelwright_skip_subsequences(&state->generator, subsequence);
  kernelwright_skip(&state->generator, offset);
  state->hasKept = 0;
  state->hasKeptDouble = 0;
}

KW_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                           curandStatePhilox4_32_10_t *state) {
  kernelwright_seed(&state->generator, seed);
  kernelwright_skip_subsequences(&state->generator, subsequence);
  kernelwright_skip(&state->generator, offset);
  state->hasKept = 0;
  state->hasKeptDouble = 0;
}

KW_RANDOM uint4 curand4(curandStatePhilox4_32_10_t *state) {
  uint4 four;
  four.x = curand(state);
  four.y = curand(state);
  four.z = curand(state);
  four.w = curand(state);
  return four;
}

KW_RANDOM float kernelwright_unit(unsigned int bits) { return bits * CURAND_2POW32_INV + (CURAND_2POW32_INV / 2.0f); }
KW_RANDOM double kernelwright_unit_double(unsigned int low, unsigned int high) {
  const unsigned long long bits = (unsigned long long)low ^ ((unsigned long long)high << 21);
  return bits * CURAND_2POW53_INV_DOUBLE + (CURAND_2POW53_INV_DOUBLE / 2.0);
}

// Two normal numbers of two uniform ones (Box and Muller).
KW_RANDOM float2 kernelwright_normal_pair(unsigned int first, unsigned int second) {
  const float angle = second * (CURAND_2POW32_INV * 6.2831855f) + (CURAND_2POW32_INV * 6.2831855f / 2.0f);
  const float radius = sqrtf(-2.0f * logf(kernelwright_unit(first)));
  float2 pair;
#ifdef __CUDACC__
  __sincosf(angle, &pair.x, &pair.y);
#else
  sincosf(angle, &pair.x, &pair.y);
#endif
  pair.x *= radius;
  pair.y *= radius;
  return pair;
}
KW_RANDOM double2 kernelwright_normal_pair_double(uint4 bits) {
  const double radius = sqrt(-2.0 * log(kernelwright_unit_double(bits.x, bits.y)));
  double2 pair;
#ifdef __CUDACC__
  sincospi(2.0 * kernelwright_unit_double(bits.z, bits.w), &pair.x, &pair.y);
#else
  // A source of host code alone has the C library's functions only.
  sincos(6.283185307179586 * kernelwright_unit_double(bits.z, bits.w), &pair.x, &pair.y);
#endif
  pair.x *= radius;
  pair.y *= radius;
  return pair;
}

// Poisson: products of uniform numbers up to a mean of 10 (Knuth), beyond it transformed rejection (Hörmann 1993,
// PTRS).
template <typename State> KW_RANDOM unsigned int kernelwright_poisson(State *state, double mean) {
  if (!(mean > 0)) return 0;
  if (mean < 10) {
    const double limit = exp(-mean);
    unsigned int count = 0;
    for (double product = kernelwright_unit(curand(state)); product > limit; ++count)
      product *= kernelwright_unit(curand(state));
    return count;
  }
  const double spread = 0.931 + 2.53 * sqrt(mean);
  const double shape = -0.059 + 0.02483 * spread;
  const double scale = 1.1239 + 1.1328 / (spread - 3.4);
  for (;;) {
    const double u = kernelwright_unit(curand(state)) - 0.5;
    const double v = kernelwright_unit(curand(state));
    const double distance = 0.5 - fabs(u);
    const double count = floor((2 * shape / distance + spread) * u + mean + 0.43);
    if (distance >= 0.07 && v <= 0.9277 - 3.6224 / (spread - 2)) return (unsigned int)count;
    if (count < 0 || (distance < 0.013 && v > distance)) continue;
    if (log(v * scale / (shape / (distance * distance) + spread)) <= count * log(mean) - mean - lgamma(count + 1))
      return (unsigned int)count;
  }
}

// What both generators have.
#define KW_DISTRIBUTIONS(State)                                                                                   \
  KW_RANDOM void skipahead(unsigned long long n, State *state) { kernelwright_skip(&state->generator, n); }       \
  KW_RANDOM void skipahead_sequence(unsigned long long n, State *state) {                                         \
    kernelwright_skip_subsequences(&state->generator, n);                                                         \
  }                                                                                                               \
  KW_RANDOM float curand_uniform(State *state) { return kernelwright_unit(curand(state)); }                       \
  KW_RANDOM float2 curand_normal2(State *state) {                                                                 \
    const unsigned int first = curand(state);                                                                     \
    return kernelwright_normal_pair(first, curand(state));                                                        \
  }                                                                                                               \
  KW_RANDOM double2 curand_normal2_double(State *state) {                                                         \
    uint4 bits;                                                                                                   \
    bits.x = curand(state);                                                                                       \
    bits.y = curand(state);                                                                                       \
    bits.z = curand(state);                                                                                       \
    bits.w = curand(state);                                                                                       \
    return kernelwright_normal_pair_double(bits);                                                                 \
  }                                                                                                               \
  KW_RANDOM float curand_normal(State *state) {                                                                   \
    state->hasKept = !state->hasKept;                                                                             \
    if (!state->hasKept) return state->kept;                                                                      \
    const float2 pair = curand_normal2(state);                                                                    \
    state->kept = pair.y;                                                                                         \
    return pair.x;                                                                                                \
  }                                                                                                               \
  KW_RANDOM double curand_normal_double(State *state) {                                                           \
    state->hasKeptDouble = !state->hasKeptDouble;                                                                 \
    if (!state->hasKeptDouble) return state->keptDouble;                                                          \
    const double2 pair = curand_normal2_double(state);                                                            \
    state->keptDouble = pair.y;                                                                                   \
    return pair.x;                                                                                                \
  }                                                                                                               \
  KW_RANDOM float curand_log_normal(State *state, float mean, float stddev) {                                     \
    return expf(mean + stddev * curand_normal(state));                                                            \
  }                                                                                                               \
  KW_RANDOM double curand_log_normal_double(State *state, double mean, double stddev) {                           \
    return exp(mean + stddev * curand_normal_double(state));                                                      \
  }                                                                                                               \
  KW_RANDOM float2 curand_log_normal2(State *state, float mean, float stddev) {                                   \
    float2 pair = curand_normal2(state);                                                                          \
    pair.x = expf(mean + stddev * pair.x);                                                                        \
    pair.y = expf(mean + stddev * pair.y);                                                                        \
    return pair;                                                                                                  \
  }                                                                                                               \
  KW_RANDOM double2 curand_log_normal2_double(State *state, double mean, double stddev) {                         \
    double2 pair = curand_normal2_double(state);                                                                  \
    pair.x = exp(mean + stddev * pair.x);                                                                         \
    pair.y = exp(mean + stddev * pair.y);                                                                         \
    return pair;                                                                                                  \
  }                                                                                                               \
  KW_RANDOM unsigned int curand_poisson(State *state, double lambda) { return kernelwright_poisson(state, lambda); }
KW_DISTRIBUTIONS(curandStateXORWOW_t)
KW_DISTRIBUTIONS(curandStatePhilox4_32_10_t)
#undef KW_DISTRIBUTIONS

// XORWOW makes 53 bits of two numbers, Philox 32 bits of one.
KW_RANDOM double curand_uniform_double(curandStateXORWOW_t *state) {
  const unsigned int low = curand(state);
  return kernelwright_unit_double(low, curand(state));
}
KW_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
  return curand(state) * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}

// What Philox gives four of.
KW_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  const uint4 bits = curand4(state);
  return make_float4(kernelwright_unit(bits.x), kernelwright_unit(bits.y), kernelwright_unit(bits.z),
                     kernelwright_unit(bits.w));
}
KW_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  const uint4 bits = curand4(state);
  return make_double2(kernelwright_unit_double(bits.x, bits.y), kernelwright_unit_double(bits.z, bits.w));
}
KW_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  const uint4 bits = curand4(state);
  const float2 first = kernelwright_normal_pair(bits.x, bits.y);
  const float2 second = kernelwright_normal_pair(bits.z, bits.w);
  return make_float4(first.x, first.y, second.x, second.y);
}
KW_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev) {
  const float4 normal = curand_normal4(state);
  return make_float4(expf(mean + stddev * normal.x), expf(mean + stddev * normal.y),
                     expf(mean + stddev * normal.z), expf(mean + stddev * normal.w));
}
KW_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda) {
  uint4 four;
  four.x = curand_poisson(state, lambda);
  four.y = curand_poisson(state, lambda);
  four.z = curand_poisson(state, lambda);
  four.w = curand_poisson(state, lambda);
  return four;
}

#include "kernelwright_curand_sobol.h"

#undef KW_RANDOM

#endif
