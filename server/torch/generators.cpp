#include "generators.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>

#include <cstring>

#include "memory.hpp"

namespace kernelwright {
namespace {

/** What a GPU's generator is: a seed, and how far its numbers have been used up. Each operation draws from a
 * generator of the host that these two determine, so that they are the whole state. */
class GpuGenerator final : public c10::GeneratorImpl {
public:
  explicit GpuGenerator(at::Generator drawnFrom)
      : GeneratorImpl(kGpu, c10::DispatchKeySet(c10::DispatchKey::CUDA)), host_(std::move(drawnFrom)),
        seed_(host_.current_seed()) {}

  void set_current_seed(uint64_t seed) override {
    seed_ = seed;
    offset_ = 0;
  }
  void set_offset(uint64_t offset) override { offset_ = offset; }
  uint64_t get_offset() const override { return offset_; }
  uint64_t current_seed() const override { return seed_; }
  uint64_t seed() override {
    set_current_seed(host_.unsafeGetGeneratorImpl()->seed());
    return seed_;
  }

  void set_state(const c10::TensorImpl &state) override {
    TORCH_CHECK(state.numel() == kStateBytes && state.dtype() == caffe2::TypeMeta::Make<uint8_t>(),
                "RNG state is wrong size: that of a GPU's generator has ", kStateBytes,
                " bytes, the seed and the offset");
    const auto *bytes = static_cast<const char *>(state.data());
    std::memcpy(&seed_, bytes, sizeof seed_);
    std::memcpy(&offset_, bytes + sizeof seed_, sizeof offset_);
  }

  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    at::Tensor state = at::detail::empty_cpu({kStateBytes}, at::kByte);
    auto *bytes = static_cast<char *>(state.mutable_data_ptr());
    std::memcpy(bytes, &seed_, sizeof seed_);
    std::memcpy(bytes + sizeof seed_, &offset_, sizeof offset_);
    return state.getIntrusivePtr();
  }

  /** The host's generator for the next operation. */
  at::Generator next() {
    // The first one after a seed has the host's own numbers for it.
    host_.set_current_seed(seed_ ^ (offset_ * kStep));
    offset_ += kNumbersOfCall;
    return host_;
  }

private:
  static constexpr int64_t kStateBytes = 16;
  /** GPUs count offsets in fours. */
  static constexpr uint64_t kNumbersOfCall = 4;
  /** 2^64 divided by the golden ratio. */
  static constexpr uint64_t kStep = 0x9E3779B97F4A7C15;

  GeneratorImpl *clone_impl() const override {
    auto *copy = new GpuGenerator(host_.clone());
    copy->seed_ = seed_;
    copy->offset_ = offset_;
    return copy;
  }

  at::Generator host_;
  uint64_t seed_;
  uint64_t offset_ = 0;
};

at::Generator make() { return at::make_generator<GpuGenerator>(at::detail::createCPUGenerator()); }

} // namespace

at::Generator hostGenerator(const at::Generator &generator) {
  if (!generator.defined() || !generator.device().is_cuda()) return generator;
  return static_cast<GpuGenerator *>(generator.unsafeGetGeneratorImpl())->next();
}

const at::Generator &defaultGenerator() {
  static const auto *only = new at::Generator(make());
  return *only;
}

at::Generator newGenerator() {
  static bool gaveDefault = false;
  if (gaveDefault) return make();
  gaveDefault = true;
  return defaultGenerator();
}

} // namespace kernelwright
