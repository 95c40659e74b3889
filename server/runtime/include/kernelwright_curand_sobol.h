// Sobol's sequences for kernels, part of curand_kernel.h: one number for each place, and distributions of it by the
// inverse of their sums.
#ifndef KERNELWRIGHT_CURAND_SOBOL_H
#define KERNELWRIGHT_CURAND_SOBOL_H

struct curandStateSobol32 {
  unsigned int place;
  unsigned int point;
  unsigned int directions[32];
};
struct curandStateSobol64 {
  unsigned long long place;
  unsigned long long point;
  unsigned long long directions[64];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;

// The sum of the direction numbers that Gray's code of a place names.
KW_RANDOM void kernelwright_go(curandStateSobol32_t *state, unsigned int place) {
  state->place = place;
  state->point = 0;
  const unsigned int named = place ^ (place >> 1);
  for (int bit = 0; bit < 32; ++bit)
    if (named >> bit & 1u) state->point ^= state->directions[bit];
}
KW_RANDOM void kernelwright_go(curandStateSobol64_t *state, unsigned long long place) {
  state->place = place;
  state->point = 0;
  const unsigned long long named = place ^ (place >> 1);
  for (int bit = 0; bit < 64; ++bit)
    if (named >> bit & 1ull) state->point ^= state->directions[bit];
}

KW_RANDOM void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int offset,
                           curandStateSobol32_t *state) {
  for (int bit = 0; bit < 32; ++bit) state->directions[bit] = direction_vectors[bit];
  kernelwright_go(state, offset);
}
KW_RANDOM void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long offset,
                           curandStateSobol64_t *state) {
  for (int bit = 0; bit < 64; ++bit) state->directions[bit] = direction_vectors[bit];
  kernelwright_go(state, offset);
}

KW_RANDOM unsigned int curand(curandStateSobol32_t *state) {
  const unsigned int point = state->point;
  int bit = 0;
  for (unsigned int rest = state->place; (rest & 1u) != 0 && bit < 31; rest >>= 1) ++bit;
  state->point ^= state->directions[bit];
  ++state->place;
  return point;
}
KW_RANDOM unsigned long long curand(curandStateSobol64_t *state) {
  const unsigned long long point = state->point;
  int bit = 0;
  for (unsigned long long rest = state->place; (rest & 1ull) && bit < 63; rest >>= 1) ++bit;
  state->point ^= state->directions[bit];
  ++state->place;
  return point;
}

KW_RANDOM void skipahead(unsigned int n, curandStateSobol32_t *state) { kernelwright_go(state, state->place + n); }
KW_RANDOM void skipahead(unsigned long long n, curandStateSobol64_t *state) { kernelwright_go(state, state->place + n); }

KW_RANDOM float curand_uniform(curandStateSobol32_t *state) { return kernelwright_unit(curand(state)); }
KW_RANDOM float curand_uniform(curandStateSobol64_t *state) {
  return kernelwright_unit((unsigned int)(curand(state) >> 32));
}
KW_RANDOM double curand_uniform_double(curandStateSobol32_t *state) {
  return curand(state) * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}
KW_RANDOM double curand_uniform_double(curandStateSobol64_t *state) {
  return (curand(state) >> 11) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2.0;
}

#ifdef __CUDACC__
// A normal number by the inverse of its distribution: of the upper half it is that of the lower one, mirrored.
KW_RANDOM float kernelwright_normal_below(unsigned int bits) {
  const bool upper = bits > 0x80000000u;
  const float normal = normcdfinvf(kernelwright_unit(upper ? ~bits : bits));
  return upper ? -normal : normal;
}
KW_RANDOM double kernelwright_normal_below_double(unsigned int bits) {
  const bool upper = bits > 0x80000000u;
  const unsigned int lower = upper ? ~bits : bits;
  const double normal = normcdfinv(lower * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2.0);
  return upper ? -normal : normal;
}
KW_RANDOM float curand_normal(curandStateSobol32_t *state) { return kernelwright_normal_below(curand(state)); }
KW_RANDOM float curand_normal(curandStateSobol64_t *state) {
  return kernelwright_normal_below((unsigned int)(curand(state) >> 32));
}
KW_RANDOM double curand_normal_double(curandStateSobol32_t *state) {
  return kernelwright_normal_below_double(curand(state));
}
KW_RANDOM double curand_normal_double(curandStateSobol64_t *state) {
  return normcdfinv(curand_uniform_double(state));
}

template <typename State> KW_RANDOM unsigned int kernelwright_poisson_below(State *state, double mean) {
  const double below = curand_uniform_double(state);
  double share = exp(-mean), sum = share;
  if (share == 0) return (unsigned int)fmax(0.0, floor(mean + sqrt(mean) * normcdfinv(below) + 0.5));
  unsigned int count = 0;
  while (below > sum && share > 0) {
    share *= mean / ++count;
    sum += share;
  }
  return count;
}

// What both widths have.
#define KW_DISTRIBUTIONS(State)                                                                                   \
  KW_RANDOM float curand_log_normal(State *state, float mean, float stddev) {                                     \
    return expf(mean + stddev * curand_normal(state));                                                            \
  }                                                                                                               \
  KW_RANDOM double curand_log_normal_double(State *state, double mean, double stddev) {                           \
    return exp(mean + stddev * curand_normal_double(state));                                                      \
  }                                                                                                               \
  KW_RANDOM unsigned int curand_poisson(State *state, double lambda) {                                            \
    return kernelwright_poisson_below(state, lambda);                                                             \
  }
KW_DISTRIBUTIONS(curandStateSobol32_t)
KW_DISTRIBUTIONS(curandStateSobol64_t)
#undef KW_DISTRIBUTIONS
#endif

#endif
