// The operations of torch on tensors of the GPU: the CPU's kernels over the same bytes, and by hand what
// makes memory or hands it on.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/EmptyTensor.h>
#include <ATen/TensorOperators.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/library.h>

#include <algorithm>
#include <iterator>

#include "cpu-call.hpp"
#include "operations.hpp"

namespace kernelwright {
namespace {

bool isForLackOfHalves(const char *message) {
  const std::string text = message;
  return text.find("not implemented for 'Half'") != std::string::npos ||
         text.find("not implemented for 'BFloat16'") != std::string::npos;
}

/** The arguments, taken off the stack. */
std::vector<c10::IValue> popArguments(const c10::OperatorHandle &operation, torch::jit::Stack &stack) {
  const auto first = stack.end() - static_cast<ptrdiff_t>(operation.schema().arguments().size());
  std::vector<c10::IValue> arguments(std::make_move_iterator(first), std::make_move_iterator(stack.end()));
  stack.erase(first, stack.end());
  return arguments;
}

void onCpu(const c10::OperatorHandle &operation, torch::jit::Stack *stack) {
  const at::AutoDispatchBelowADInplaceOrView below;
  const std::vector<c10::IValue> arguments = popArguments(operation, *stack);
  const size_t height = stack->size();
  const bool halves = std::any_of(arguments.begin(), arguments.end(), hasHalves);
  const bool wide = halves && isWidened(operation.schema().name());
  try {
    CpuCall(operation, wide).run(arguments, *stack);
  } catch (const c10::Error &error) {
    if (!halves || wide || !isForLackOfHalves(error.what_without_backtrace())) throw;
    // GPUs have many operations for halves that the CPU has for floats only.
    stack->erase(stack->begin() + static_cast<ptrdiff_t>(height), stack->end());
    CpuCall(operation, true).run(arguments, *stack);
  }
}

/** Between the host and the GPU in either direction; the result is the target, wherever it lies. */
at::Tensor &copy(at::Tensor &self, const at::Tensor &source, bool nonBlocking) {
  const at::AutoDispatchBelowADInplaceOrView below;
  Lending lending;
  const at::Tensor target = self.is_cuda() ? lending.lend(self) : self;
  target.copy_(source.is_cuda() ? lending.lend(source) : source, nonBlocking);
  return self;
}

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::CUDA);

void check(std::optional<at::Layout> layout, std::optional<at::Device> device) {
  if (device) c10::impl::VirtualGuardImpl(c10::DeviceType::CUDA).setDevice(*device);
  TORCH_CHECK_NOT_IMPLEMENTED(layout.value_or(at::kStrided) == at::kStrided,
                              "the virtual GPU has dense tensors only, and none with the layout ", *layout);
}

at::Tensor empty(at::IntArrayRef size, std::optional<at::ScalarType> type, std::optional<at::Layout> layout,
                 std::optional<at::Device> device, std::optional<bool>,
                 std::optional<at::MemoryFormat> format) {
  check(layout, device);
  return at::detail::empty_generic(size, gpuAllocator(), kKeys, c10::dtype_or_default(type), format);
}

at::Tensor emptyStrided(at::IntArrayRef size, at::IntArrayRef stride, std::optional<at::ScalarType> type,
                        std::optional<at::Layout> layout, std::optional<at::Device> device,
                        std::optional<bool>) {
  check(layout, device);
  return at::detail::empty_strided_generic(size, stride, gpuAllocator(), kKeys, c10::dtype_or_default(type));
}

at::Tensor &setStorage(at::Tensor &self, at::Storage source, int64_t offset, at::IntArrayRef size,
                       at::IntArrayRef stride) {
  c10::TensorImpl *impl = self.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(source));
  if (stride.size() == size.size() && !size.empty()) {
    impl->set_sizes_and_strides(size, stride, offset);
    return self;
  }
  impl->set_storage_offset(offset);
  impl->set_sizes_contiguous(size);
  return self;
}

at::Tensor &setWholeStorage(at::Tensor &self, at::Storage source) {
  const int64_t count = static_cast<int64_t>(source.nbytes() / self.dtype().itemsize());
  return setStorage(self, std::move(source), 0, {count}, {});
}

/** Memory is never given to another stream before its work is complete. */
void recordStream(at::Tensor &, at::Stream) {}

at::Tensor plus(const at::Tensor &gates, const std::optional<at::Tensor> &bias) {
  return bias && bias->defined() ? gates + *bias : gates;
}

using Cell = std::tuple<at::Tensor, at::Tensor, at::Tensor>;

/** torch takes these two cells on GPUs only; made of operations that have derivatives. */
Cell lstmCell(const at::Tensor &inputGates, const at::Tensor &hiddenGates, const at::Tensor &state,
              const std::optional<at::Tensor> &inputBias, const std::optional<at::Tensor> &hiddenBias) {
  const at::Tensor gates = plus(inputGates, inputBias) + plus(hiddenGates, hiddenBias);
  const std::vector<at::Tensor> parts = gates.chunk(4, 1);
  const at::Tensor next = parts[1].sigmoid() * state + parts[0].sigmoid() * parts[2].tanh();
  return {parts[3].sigmoid() * next.tanh(), next, gates};
}

std::tuple<at::Tensor, at::Tensor> gruCell(const at::Tensor &inputGates, const at::Tensor &hiddenGates,
                                           const at::Tensor &state,
                                           const std::optional<at::Tensor> &inputBias,
                                           const std::optional<at::Tensor> &hiddenBias) {
  const std::vector<at::Tensor> fromInput = plus(inputGates, inputBias).chunk(3, 1);
  const std::vector<at::Tensor> fromState = plus(hiddenGates, hiddenBias).chunk(3, 1);
  const at::Tensor reset = (fromInput[0] + fromState[0]).sigmoid();
  const at::Tensor update = (fromInput[1] + fromState[1]).sigmoid();
  const at::Tensor fresh = (fromInput[2] + reset * fromState[2]).tanh();
  return {(state - fresh) * update + fresh, fresh};
}

} // namespace

TORCH_LIBRARY_IMPL(_, CUDA, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&onCpu>()); }

TORCH_LIBRARY_IMPL(aten, CUDA, m) {
  m.impl("empty.memory_format", &empty);
  m.impl("empty_strided", &emptyStrided);
  m.impl("copy_", &copy);
  m.impl("set_.source_Storage_storage_offset", &setStorage);
  m.impl("set_.source_Storage", &setWholeStorage);
  m.impl("record_stream", &recordStream);
  // Left to themselves they would look for a kernel that only GPUs have.
  for (const char *name : {"convolution", "convolution_backward"})
    m.impl(name, torch::CppFunction::makeFromBoxedFunction<&onCpu>());
}

TORCH_LIBRARY_IMPL(aten, AutogradCUDA, m) {
  m.impl("_thnn_fused_lstm_cell", &lstmCell);
  m.impl("_thnn_fused_gru_cell", &gruCell);
}

} // namespace kernelwright
