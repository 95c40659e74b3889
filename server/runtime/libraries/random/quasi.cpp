#include "libraries/random/quasi.hpp"

#include <cmath>
#include <limits>

#include "libraries/random/sobol-numbers.hpp"

namespace kernelwright::random {
namespace {

unsigned powersOf(unsigned polynomial) {
  unsigned powers = 0;
  while (polynomial >> (powers + 1) != 0)
    ++powers;
  return powers;
}

/** A place of the sequence as the sum of direction numbers that Gray's code of it names. */
uint64_t pointAt(const std::vector<uint64_t> &directions, unsigned long long place) {
  uint64_t point = 0;
  unsigned long long named = place ^ (place >> 1);
  for (size_t bit = 0; named != 0; ++bit, named >>= 1)
    if ((named & 1) != 0) point ^= directions[bit];
  return point;
}

/** The normal quantile to some nine digits (Acklam 2003), for the lower half. */
double roughlyBelow(double uniform) {
  if (uniform < 0.02425) {
    const double q = std::sqrt(-2 * std::log(uniform));
    const double top = ((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838) * q -
                         2.549732539343734) *
                            q +
                        4.374664141464968) *
                           q +
                       2.938163982698783;
    const double bottom = (((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996) * q +
                           3.754408661907416) *
                              q +
                          1;
    return top / bottom;
  }
  const double q = uniform - 0.5, r = q * q;
  const double top =
      (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r +
         1.383577518672690e+02) *
            r -
        3.066479806614716e+01) *
           r +
       2.506628277459239) *
      q;
  const double bottom =
      ((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r +
        6.680131188771972e+01) *
           r -
       1.328068155288572e+01) *
          r +
      1;
  return top / bottom;
}

} // namespace

bool isQuasi(curandRngType_t type) {
  return type == CURAND_RNG_QUASI_DEFAULT || type == CURAND_RNG_QUASI_SOBOL32 ||
         type == CURAND_RNG_QUASI_SOBOL64;
}

unsigned bitsOf(curandRngType_t type) { return type == CURAND_RNG_QUASI_SOBOL64 ? 64 : 32; }

std::vector<uint64_t> directionsOf(unsigned dimension) {
  std::vector<uint64_t> numbers(64, 1);
  if (dimension > 0) {
    size_t at = 0;
    for (unsigned skipped = 1; skipped < dimension; ++skipped)
      at += 1 + powersOf(kSobolNumbers[at]);
    const unsigned polynomial = kSobolNumbers[at], powers = powersOf(polynomial);
    for (size_t index = 0; index < 64; ++index) {
      if (index < powers) {
        numbers[index] = kSobolNumbers[at + 1 + index];
        continue;
      }
      numbers[index] = numbers[index - powers];
      for (unsigned back = 1; back <= powers; ++back)
        if ((polynomial >> (powers - back) & 1) != 0) numbers[index] ^= numbers[index - back] << back;
    }
  }
  for (size_t index = 0; index < 64; ++index)
    numbers[index] <<= 63 - index;
  return numbers;
}

std::vector<uint64_t> quasiNumbers(unsigned dimensions, unsigned long long offset, size_t count) {
  std::vector<uint64_t> numbers;
  numbers.reserve(count);
  for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
    const std::vector<uint64_t> directions = directionsOf(dimension);
    for (size_t index = 0; index < count / dimensions; ++index)
      numbers.push_back(pointAt(directions, offset + index));
  }
  return numbers;
}

double normalBelow(double uniform) {
  if (uniform > 0.5) return -normalBelow(1 - uniform);
  const double rough = roughlyBelow(uniform);
  // One step of Halley's method reaches double precision.
  const double error = 0.5 * std::erfc(-rough / std::sqrt(2.0)) - uniform;
  const double step = error * 2.5066282746310002 * std::exp(rough * rough / 2);
  return rough - step / (1 + rough * step / 2);
}

uint32_t poissonBelow(double uniform, double mean) {
  double share = std::exp(-mean), sum = share;
  uint32_t count = 0;
  // Where the shares of large means are too small for a double, numbers are normal.
  if (share == 0)
    return static_cast<uint32_t>(
        std::fmax(0, std::floor(mean + std::sqrt(mean) * normalBelow(uniform) + 0.5)));
  while (uniform > sum && share > 0) {
    share *= mean / ++count;
    sum += share;
  }
  return count;
}

} // namespace kernelwright::random
