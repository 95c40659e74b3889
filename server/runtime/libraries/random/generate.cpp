// The host functions of cuRAND. Numbers are made by the host and copied to the device.
#include <curand.h>

#include <cmath>
#include <vector>

#include "libraries/random/quasi.hpp"
#include "libraries/random/sobol-numbers.hpp"
#include "libraries/random/sources.hpp"
#include "memory/operands.hpp"

struct curandGenerator_st {
  curandRngType_t type;
  bool onHost;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0;
  unsigned long long offset = 0;
  /** Of quasirandom numbers. */
  unsigned dimensions = 1;
  /** Made when the first number is wanted. */
  std::unique_ptr<kernelwright::random::Source> source = nullptr;
};

namespace kernelwright::random {
namespace {

constexpr double kPi = 3.14159265358979323846;
/** Dimensions of cuRAND's quasirandom generators (its documentation,
 * curandSetQuasiRandomGeneratorDimensions). */
constexpr unsigned kCurandDimensions = 20000;

Source &sourceOf(curandGenerator_t generator) {
  if (generator->source == nullptr)
    generator->source = makeSource(generator->type, generator->seed, generator->offset);
  return *generator->source;
}

float unit(uint32_t bits) {
  constexpr float kStep = 2.3283064e-10f;
  return static_cast<float>(bits) * kStep + kStep / 2;
}

double longUnit(uint32_t low, uint32_t high) {
  constexpr double kStep = 1.1102230246251565e-16;
  return static_cast<double>(uint64_t{low} ^ (uint64_t{high} << 21)) * kStep + kStep / 2;
}

double drawLongUnit(Source &source) {
  const uint32_t low = source.draw();
  return longUnit(low, source.draw());
}

/** Two uniform numbers to two normal ones (Box and Muller). */
void normalPair(Source &source, float *pair) {
  const float radius = std::sqrt(-2 * std::log(unit(source.draw())));
  const float angle = unit(source.draw()) * static_cast<float>(2 * kPi);
  pair[0] = radius * std::sin(angle);
  pair[1] = radius * std::cos(angle);
}

void normalPair(Source &source, double *pair) {
  const double radius = std::sqrt(-2 * std::log(drawLongUnit(source)));
  const double angle = drawLongUnit(source) * 2 * kPi;
  pair[0] = radius * std::sin(angle);
  pair[1] = radius * std::cos(angle);
}

/** Gives the numbers to the program, on the side that the generator is for. */
template <typename T, typename Fill>
curandStatus_t give(curandGenerator_t generator, T *numbers, size_t count, Fill fill) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->onHost) {
    fill(numbers, count);
    return CURAND_STATUS_SUCCESS;
  }
  const cudaError_t error = issueWork(generator->stream, [=] {
    std::vector<T> made(count);
    fill(made.data(), count);
    const size_t bytes = count * sizeof(T);
    return writeOperand({reinterpret_cast<char *>(numbers), bytes}, made.data(), {bytes, 1});
  });
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/** Quasirandom numbers, each made of one point's 64 bits. `make` gets those of 32 as the upper half. */
template <typename T, typename Make>
curandStatus_t giveQuasi(curandGenerator_t generator, T *numbers, size_t count, Make make) {
  const unsigned dimensions = generator->dimensions;
  if (count % dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const unsigned long long offset = generator->offset;
  generator->offset += count / dimensions;
  return give(generator, numbers, count, [=](T *made, size_t size) {
    for (const uint64_t bits : quasiNumbers(dimensions, offset, size))
      *made++ = make(bits);
  });
}

bool isWide(curandGenerator_t generator) { return bitsOf(generator->type) == 64; }

/** The middle of the range that a point of 53 or 32 bits stands for, as cuRAND rounds it. */
double quasiUnit(uint64_t bits, bool isWide) {
  if (isWide) return static_cast<double>(bits >> 11) * 0x1p-53 + 0x1p-54;
  return static_cast<double>(bits >> 32) * 0x1p-32 + 0x1p-32;
}

/** A normal number by the inverse of its distribution: of the upper half it is that of the lower one,
 * mirrored. */
template <typename T> T quasiNormal(uint64_t bits, bool isWide) {
  const bool isUpper = bits >> 32 > 0x80000000u;
  const uint64_t lower = isUpper ? ~bits : bits;
  const bool isLong = isWide && sizeof(T) == sizeof(double);
  const double below = isLong ? quasiUnit(lower, true) : static_cast<double>(lower >> 32) * 0x1p-32 + 0x1p-33;
  const T normal =
      static_cast<T>(normalBelow(sizeof(T) == sizeof(float) ? static_cast<float>(below) : below));
  return isUpper ? -normal : normal;
}

float shortUnit(uint64_t bits) { return unit(static_cast<uint32_t>(bits >> 32)); }

/** Numbers that are drawn one by one. */
template <typename T, typename Draw>
curandStatus_t giveEach(curandGenerator_t generator, T *numbers, size_t count, Draw draw) {
  return give(generator, numbers, count, [generator, draw](T *made, size_t size) {
    Source &source = sourceOf(generator);
    for (size_t index = 0; index < size; ++index) {
      made[index] = draw(source);
      source.complete(1);
    }
  });
}

template <typename T>
curandStatus_t giveNormal(curandGenerator_t generator, T *numbers, size_t count, T mean, T deviation,
                          bool exponential) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (isQuasi(generator->type)) {
    const bool wide = isWide(generator);
    return giveQuasi(generator, numbers, count, [=](uint64_t bits) {
      const T scaled = mean + deviation * quasiNormal<T>(bits, wide);
      return exponential ? std::exp(scaled) : scaled;
    });
  }
  // Normal numbers come in pairs (cuRAND documentation, curandGenerateNormal).
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return give(generator, numbers, count, [=](T *made, size_t size) {
    Source &source = sourceOf(generator);
    for (size_t index = 0; index < size; index += 2) {
      normalPair(source, made + index);
      source.complete(source.pairNumbers());
    }
    for (size_t index = 0; index < size; ++index) {
      const T scaled = mean + deviation * made[index];
      made[index] = exponential ? std::exp(scaled) : scaled;
    }
  });
}

/** Transformed rejection (Hörmann 1993, PTRS), for means from 10. */
uint32_t drawLargePoisson(Source &source, double mean) {
  const double spread = 0.931 + 2.53 * std::sqrt(mean);
  const double shape = -0.059 + 0.02483 * spread;
  const double scale = 1.1239 + 1.1328 / (spread - 3.4);
  for (;;) {
    const double u = drawLongUnit(source) - 0.5;
    const double v = drawLongUnit(source);
    const double distance = 0.5 - std::fabs(u);
    const double count = std::floor((2 * shape / distance + spread) * u + mean + 0.43);
    if (distance >= 0.07 && v <= 0.9277 - 3.6224 / (spread - 2)) return static_cast<uint32_t>(count);
    if (count < 0 || (distance < 0.013 && v > distance)) continue;
    const double left = std::log(v * scale / (shape / (distance * distance) + spread));
    if (left <= count * std::log(mean) - mean - std::lgamma(count + 1)) return static_cast<uint32_t>(count);
  }
}

/** Products of uniform numbers (Knuth) for small means. */
uint32_t drawPoisson(Source &source, double mean) {
  if (mean >= 10) return drawLargePoisson(source, mean);
  uint32_t count = 0;
  const double limit = std::exp(-mean);
  for (double product = drawLongUnit(source); product > limit; ++count)
    product *= drawLongUnit(source);
  return count;
}

curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool onHost) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!isQuasi(type) && makeSource(type, 0, 0) == nullptr) {
    tell("the virtual GPU's cuRAND has XORWOW, Philox4_32_10, MT19937 and Sobol's sequences, but no "
         "generator of the kind " +
         std::to_string(type) + ": the program gets CURAND_STATUS_TYPE_ERROR");
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new curandGenerator_st{type, onHost};
  return CURAND_STATUS_SUCCESS;
}

} // namespace
} // namespace kernelwright::random

using namespace kernelwright::random;

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  kernelwright::device();
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  const int versions[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  *value = versions[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (isQuasi(generator->type)) return CURAND_STATUS_TYPE_ERROR;
  generator->seed = seed;
  generator->source = nullptr;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->offset = offset;
  generator->source = nullptr;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dimensions) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!isQuasi(generator->type)) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > kCurandDimensions) return CURAND_STATUS_OUT_OF_RANGE;
  if (dimensions > kSobolDimensions) {
    kernelwright::tell("the virtual GPU's cuRAND has Sobol's sequences of " +
                       std::to_string(kSobolDimensions) + " dimensions, and the program asks for " +
                       std::to_string(dimensions) + ": it gets CURAND_STATUS_OUT_OF_RANGE");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  generator->dimensions = dimensions;
  generator->offset = 0;
  return CURAND_STATUS_SUCCESS;
}

// There is one order of each kind, and the legacy one is what every pseudorandom order may be.
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const bool isOfQuasi = order >= CURAND_ORDERING_QUASI_DEFAULT;
  return isOfQuasi == isQuasi(generator->type) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!isQuasi(generator->type)) sourceOf(generator);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *numbers, size_t count) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!isQuasi(generator->type))
    return giveEach(generator, numbers, count, [](Source &source) { return source.draw(); });
  if (isWide(generator)) return CURAND_STATUS_TYPE_ERROR;
  return giveQuasi(generator, numbers, count,
                   [](uint64_t bits) { return static_cast<unsigned>(bits >> 32); });
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *numbers,
                                      size_t count) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!isQuasi(generator->type) || !isWide(generator)) return CURAND_STATUS_TYPE_ERROR;
  return giveQuasi(generator, numbers, count, [](uint64_t bits) -> unsigned long long { return bits; });
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *numbers, size_t count) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (isQuasi(generator->type)) return giveQuasi(generator, numbers, count, shortUnit);
  return giveEach(generator, numbers, count, [](Source &source) { return unit(source.draw()); });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *numbers, size_t count) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!isQuasi(generator->type)) return giveEach(generator, numbers, count, drawLongUnit);
  const bool wide = isWide(generator);
  return giveQuasi(generator, numbers, count, [wide](uint64_t bits) { return quasiUnit(bits, wide); });
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *numbers, size_t count, float mean,
                                    float deviation) {
  return giveNormal(generator, numbers, count, mean, deviation, false);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *numbers, size_t count,
                                          double mean, double deviation) {
  return giveNormal(generator, numbers, count, mean, deviation, false);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *numbers, size_t count, float mean,
                                       float deviation) {
  return giveNormal(generator, numbers, count, mean, deviation, true);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *numbers, size_t count,
                                             double mean, double deviation) {
  return giveNormal(generator, numbers, count, mean, deviation, true);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *numbers, size_t count,
                                     double lambda) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  if (isQuasi(generator->type)) {
    const bool wide = isWide(generator);
    return giveQuasi(generator, numbers, count,
                     [=](uint64_t bits) { return poissonBelow(quasiUnit(bits, wide), lambda); });
  }
  return giveEach(generator, numbers, count,
                  [lambda](Source &source) { return drawPoisson(source, lambda); });
}

} // extern "C"
