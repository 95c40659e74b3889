#include "generators.hpp"

#include <ATen/CPUGeneratorImpl.h>

#include "memory.hpp"

namespace kernelwright {
namespace {

class GpuGenerator final : public c10::GeneratorImpl {
public:
  explicit GpuGenerator(at::Generator drawnFrom)
      : GeneratorImpl(kGpu, c10::DispatchKeySet(c10::DispatchKey::CUDA)), host(std::move(drawnFrom)) {}

  void set_current_seed(uint64_t seed) override { host.set_current_seed(seed); }
  void set_offset(uint64_t offset) override { host.set_offset(offset); }
  uint64_t get_offset() const override { return host.get_offset(); }
  uint64_t current_seed() const override { return host.current_seed(); }
  uint64_t seed() override { return host.unsafeGetGeneratorImpl()->seed(); }
  void set_state(const c10::TensorImpl &state) override { host.unsafeGetGeneratorImpl()->set_state(state); }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    return host.unsafeGetGeneratorImpl()->get_state();
  }

  at::Generator host;

private:
  GeneratorImpl *clone_impl() const override { return new GpuGenerator(host.clone()); }
};

at::Generator make() { return at::make_generator<GpuGenerator>(at::detail::createCPUGenerator()); }

} // namespace

at::Generator hostGenerator(const at::Generator &generator) {
  if (!generator.defined() || !generator.device().is_cuda()) return generator;
  return static_cast<GpuGenerator *>(generator.unsafeGetGeneratorImpl())->host;
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
