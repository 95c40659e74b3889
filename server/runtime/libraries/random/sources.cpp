#include "libraries/random/sources.hpp"

#include <kernelwright_curand_generators.h>

#include <random>
#include <vector>

namespace kernelwright::random {
namespace {

/**
 * Subsequences of one seed that take turns, which is cuRAND's legacy order: `kRun` results of each, and after
 * the last subsequence the first again (cuRAND documentation, ordering).
 */
template <typename Generator, unsigned kLanes, unsigned kRun> class Lanes final : public Source {
public:
  Lanes(unsigned long long seed, unsigned long long offset) : position_(offset), offset_(offset) {
    kernelwright_seed(&first_, seed);
  }
  uint32_t draw() override {
    const size_t lane = position_ / kRun % kLanes;
    while (lanes_.size() <= lane)
      addLane();
    return kernelwright_next(&lanes_[lane]);
  }
  void complete(unsigned numbers) override { position_ += numbers; }
  unsigned pairNumbers() const override { return kRun == 1 ? 1 : 2; }

private:
  /** What a lane would have given before the offset is left out. */
  void addLane() {
    const unsigned long long rounds = offset_ / kRun;
    const unsigned long long lane = lanes_.size();
    unsigned long long before = rounds / kLanes * kRun;
    if (lane < rounds % kLanes) before += kRun;
    if (lane == rounds % kLanes) before += offset_ % kRun;
    lanes_.push_back(first_);
    kernelwright_skip(&lanes_.back(), before);
    kernelwright_skip_subsequences(&first_, 1);
  }

  unsigned long long position_;
  unsigned long long offset_;
  /** The beginning of the lane that comes next. */
  Generator first_;
  std::vector<Generator> lanes_;
};

/** One plain sequence. */
template <typename Generator> class Single final : public Source {
public:
  Single(unsigned long long seed, unsigned long long offset)
      : generator_(static_cast<typename Generator::result_type>(seed)) {
    generator_.discard(offset);
  }
  uint32_t draw() override { return static_cast<uint32_t>(generator_()); }
  void complete(unsigned) override {}
  unsigned pairNumbers() const override { return 1; }

private:
  Generator generator_;
};

} // namespace

std::unique_ptr<Source> makeSource(curandRngType_t type, unsigned long long seed, unsigned long long offset) {
  switch (type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
  case CURAND_RNG_PSEUDO_XORWOW:
    return std::make_unique<Lanes<kernelwright_xorwow, 4096, 1>>(seed, offset);
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return std::make_unique<Lanes<kernelwright_philox, 65536, 4>>(seed, offset);
  case CURAND_RNG_PSEUDO_MT19937:
    return std::make_unique<Single<std::mt19937>>(seed, offset);
  default:
    return nullptr;
  }
}

} // namespace kernelwright::random
