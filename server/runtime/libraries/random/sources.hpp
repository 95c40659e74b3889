// Where the host functions of cuRAND take their random bits from.
#pragma once

#include <curand.h>

#include <cstdint>
#include <memory>

namespace kernelwright::random {

/** A sequence of 32-bit numbers, dealt out by one generator or by many in turn. */
class Source {
public:
  virtual ~Source() = default;
  /** The next number of the generator whose turn it is. */
  virtual uint32_t draw() = 0;
  /** One result is complete; `numbers` says how many it counts for. */
  virtual void complete(unsigned numbers) = 0;
  /** Numbers that a pair of normal numbers counts for. */
  virtual unsigned pairNumbers() const = 0;
};

/** Null for a kind of generator that there is not. */
std::unique_ptr<Source> makeSource(curandRngType_t type, unsigned long long seed, unsigned long long offset);

} // namespace kernelwright::random
