// One call of an operation on tensors of the GPU, computed by the CPU's kernel.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include "memory.hpp"

namespace kernelwright {

class CpuCall {
public:
  /** `wide`: with tensors of halves as float32, as a GPU computes inside. */
  CpuCall(const c10::OperatorHandle &operation, bool wide);

  /** Takes the arguments from the stack's end and leaves the results there. */
  void run(const std::vector<c10::IValue> &arguments, torch::jit::Stack &stack);

private:
  struct Widened {
    at::Tensor narrow;
    at::Tensor wide;
    bool isWritten;
  };

  c10::IValue lent(const c10::IValue &value, const c10::Argument &argument);
  at::Tensor lentTensor(const at::Tensor &tensor, const c10::Argument &argument);
  c10::IValue lentNumber(const c10::IValue &value, const c10::Argument &argument);
  c10::IValue takenBack(const c10::IValue &value, size_t result);
  at::Tensor takenBack(const at::Tensor &tensor, size_t result);
  at::Tensor narrowed(const at::Tensor &tensor, size_t result);
  void checkPlaces();

  const c10::OperatorHandle &operation_;
  const c10::FunctionSchema &schema_;
  bool wide_;
  /** The type that wide results are rounded to. */
  at::ScalarType narrow_ = at::kHalf;
  Lending lending_;
  std::vector<Widened> widened_;
  bool onGpu_ = false;
  /** An argument in main memory that has more than one element's place. */
  std::string onHost_;
};

/** Whether a value is a tensor of halves, or holds one. */
bool hasHalves(const c10::IValue &value);

} // namespace kernelwright
