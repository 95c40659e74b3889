// Sobol's quasirandom numbers, in the order in which cuRAND's host functions give them.
#pragma once

#include <curand.h>

#include <cstdint>
#include <vector>

namespace kernelwright::random {

bool isQuasi(curandRngType_t type);

/** Bits of one number: 32 or 64. */
unsigned bitsOf(curandRngType_t type);

/** The direction numbers of a dimension, from the highest bit on, in 64 bits: the upper half are those of 32.
 */
std::vector<uint64_t> directionsOf(unsigned dimension);

/**
 * `count` numbers in 64 bits, of which those of 32 take the upper half: of each dimension the same many, one
 * dimension behind the other, each from the place `offset` of its sequence on (cuRAND documentation,
 * ordering).
 */
std::vector<uint64_t> quasiNumbers(unsigned dimensions, unsigned long long offset, size_t count);

/** The number below which a normal one lies with the probability `uniform`. */
double normalBelow(double uniform);

/** The number below which a Poisson one with this mean lies with the probability `uniform`. */
uint32_t poissonBelow(double uniform, double mean);

} // namespace kernelwright::random
