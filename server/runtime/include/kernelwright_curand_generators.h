// The generators XORWOW (Marsaglia 2003) and Philox4x32-10 (Salmon and others 2011) as cuRAND seeds them, for host
// code and for kernels.
#ifndef KERNELWRIGHT_CURAND_GENERATORS_H
#define KERNELWRIGHT_CURAND_GENERATORS_H

#include "kernelwright_curand_jumps.h"

#if defined(__CUDACC__)
#define KW_BOTH static __inline__ __host__ __device__
#else
#define KW_BOTH static inline
#endif
// The tables lie in memory of the side that reads them.
#if defined(__CUDA_ARCH__)
static __device__ const unsigned int kernelwright_xorwow_steps[] = {KERNELWRIGHT_XORWOW_STEPS};
static __device__ const unsigned int kernelwright_xorwow_subsequences[] = {KERNELWRIGHT_XORWOW_SUBSEQUENCES};
#else
static const unsigned int kernelwright_xorwow_steps[] = {KERNELWRIGHT_XORWOW_STEPS};
static const unsigned int kernelwright_xorwow_subsequences[] = {KERNELWRIGHT_XORWOW_SUBSEQUENCES};
#endif

struct kernelwright_xorwow {
  unsigned int counter;
  unsigned int words[5];
};

KW_BOTH void kernelwright_shift(unsigned int *words) {
  const unsigned int mixed = words[0] ^ (words[0] >> 2);
  const unsigned int newest = words[4] ^ (words[4] << 4) ^ mixed ^ (mixed << 1);
  words[0] = words[1];
  words[1] = words[2];
  words[2] = words[3];
  words[3] = words[4];
  words[4] = newest;
}

KW_BOTH unsigned int kernelwright_next(struct kernelwright_xorwow *state) {
  kernelwright_shift(state->words);
  state->counter += 362437u;
  return state->counter + state->words[4];
}

KW_BOTH void kernelwright_seed(struct kernelwright_xorwow *state, unsigned long long seed) {
  const unsigned int low = ((unsigned int)seed ^ 0xaad26b49u) * 1099087573u;
  const unsigned int high = ((unsigned int)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  state->counter = 6615241u + high + low;
  state->words[0] = 123456789u + low;
  state->words[1] = 362436069u ^ low;
  state->words[2] = 521288629u + high;
  state->words[3] = 88675123u ^ high;
  state->words[4] = 5783321u + low;
}

// Jumps by a multiple of the table's unit: for each hexadecimal digit that is not 0 the sum of the states at the
// steps that its polynomial names.
KW_BOTH void kernelwright_jump(unsigned int *words, const unsigned int *table, unsigned long long count) {
  for (int digit = 0; count != 0; ++digit, count >>= 4) {
    if ((count & 15) == 0) continue;
    const unsigned int *polynomial = table + (digit * 15 + (int)(count & 15) - 1) * 5;
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int place = 0; place < 5; ++place) {
      const unsigned int bits = polynomial[place];
      for (int bit = 0; bit < 32; ++bit) {
        const unsigned int mask = 0u - (bits >> bit & 1u);
        sum[0] ^= words[0] & mask;
        sum[1] ^= words[1] & mask;
        sum[2] ^= words[2] & mask;
        sum[3] ^= words[3] & mask;
        sum[4] ^= words[4] & mask;
        kernelwright_shift(words);
      }
    }
    for (int word = 0; word < 5; ++word) words[word] = sum[word];
  }
}

KW_BOTH void kernelwright_skip(struct kernelwright_xorwow *state, unsigned long long count) {
  kernelwright_jump(state->words, kernelwright_xorwow_steps, count);
  state->counter += 362437u * (unsigned int)count;
}

// A subsequence has 2^67 numbers, over which the counter comes back to where it was.
KW_BOTH void kernelwright_skip_subsequences(struct kernelwright_xorwow *state, unsigned long long count) {
  kernelwright_jump(state->words, kernelwright_xorwow_subsequences, count);
}

struct kernelwright_philox {
  unsigned int key[2];
  // The number of the block of four, and in the upper half that of the subsequence.
  unsigned long long block;
  unsigned long long subsequence;
  unsigned int four[4];
  unsigned int used;
};

KW_BOTH void kernelwright_fill(struct kernelwright_philox *state) {
  unsigned int a = (unsigned int)state->block;
  unsigned int b = (unsigned int)(state->block >> 32);
  unsigned int c = (unsigned int)state->subsequence;
  unsigned int d = (unsigned int)(state->subsequence >> 32);
  unsigned int first = state->key[0];
  unsigned int second = state->key[1];
  for (int round = 0; round < 10; ++round) {
    const unsigned long long left = (unsigned long long)a * 0xd2511f53u;
    const unsigned long long right = (unsigned long long)c * 0xcd9e8d57u;
    a = (unsigned int)(right >> 32) ^ b ^ first;
    b = (unsigned int)right;
    c = (unsigned int)(left >> 32) ^ d ^ second;
    d = (unsigned int)left;
    first += 0x9e3779b9u;
    second += 0xbb67ae85u;
  }
  state->four[0] = a;
  state->four[1] = b;
  state->four[2] = c;
  state->four[3] = d;
}

KW_BOTH unsigned int kernelwright_next(struct kernelwright_philox *state) {
  // Chosen without an index, so that the state can stay in registers.
  unsigned int result = state->four[0];
  if (state->used == 1) result = state->four[1];
  if (state->used == 2) result = state->four[2];
  if (state->used == 3) result = state->four[3];
  if (++state->used < 4) return result;
  state->used = 0;
  if (++state->block == 0) ++state->subsequence;
  kernelwright_fill(state);
  return result;
}

KW_BOTH void kernelwright_skip(struct kernelwright_philox *state, unsigned long long count) {
  state->used += (unsigned int)(count & 3);
  const unsigned long long before = state->block;
  state->block += count / 4 + state->used / 4;
  state->used &= 3;
  if (state->block < before) ++state->subsequence;
  kernelwright_fill(state);
}

KW_BOTH void kernelwright_skip_subsequences(struct kernelwright_philox *state, unsigned long long count) {
  state->subsequence += count;
  kernelwright_fill(state);
}

KW_BOTH void kernelwright_seed(struct kernelwright_philox *state, unsigned long long seed) {
  state->key[0] = (unsigned int)seed;
  state->key[1] = (unsigned int)(seed >> 32);
  state->block = 0;
  state->subsequence = 0;
  state->used = 0;
  kernelwright_fill(state);
}

#undef KW_BOTH

#endif
