// Direction vectors of Sobol's sequences, for the program's own generators in kernels.
#include <curand.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "device/runtime.hpp"
#include "libraries/random/quasi.hpp"
#include "libraries/random/sobol-numbers.hpp"

namespace kernelwright::random {
namespace {

/** Vectors that cuRAND has; ours end earlier, and the program may not read what lies behind. */
constexpr size_t kCurandVectors = 20000;

template <typename Word> Word *vectorsOf() {
  constexpr size_t kBits = sizeof(Word) * 8;
  constexpr size_t kVector = kBits * sizeof(Word);
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void *all = mmap(nullptr, kCurandVectors * kVector, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  const size_t known = (kSobolDimensions * kVector + page - 1) / page * page;
  if (mprotect(all, known, PROT_READ | PROT_WRITE) != 0) return nullptr;
  Word *vectors = static_cast<Word *>(all);
  for (unsigned dimension = 0; dimension < kSobolDimensions; ++dimension) {
    const std::vector<uint64_t> directions = directionsOf(dimension);
    for (size_t bit = 0; bit < kBits; ++bit)
      vectors[dimension * kBits + bit] = static_cast<Word>(directions[bit] >> (64 - kBits));
  }
  return vectors;
}

template <typename Vectors, typename Word>
curandStatus_t giveVectors(Vectors *vectors[], curandDirectionVectorSet_t set,
                           curandDirectionVectorSet_t known, Word *(*make)()) {
  if (vectors == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (set != known) {
    tell("the virtual GPU's cuRAND has the direction vectors of Joe and Kuo as they are, not the set " +
         std::to_string(set) + ": the program gets CURAND_STATUS_OUT_OF_RANGE");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  static Word *made = make();
  if (made == nullptr) return CURAND_STATUS_ALLOCATION_FAILED;
  *vectors = reinterpret_cast<Vectors *>(made);
  return CURAND_STATUS_SUCCESS;
}

} // namespace
} // namespace kernelwright::random

using namespace kernelwright::random;

extern "C" {

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  return giveVectors(vectors, set, CURAND_DIRECTION_VECTORS_32_JOEKUO6, vectorsOf<uint32_t>);
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  return giveVectors(vectors, set, CURAND_DIRECTION_VECTORS_64_JOEKUO6, vectorsOf<uint64_t>);
}

} // extern "C"
