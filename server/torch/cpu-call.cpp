#include "cpu-call.hpp"

#include "generators.hpp"
#include "operations.hpp"

namespace kernelwright {
namespace {

bool isHalf(at::ScalarType type) { return type == at::kHalf || type == at::kBFloat16; }

bool isHalf(const at::Tensor &tensor) { return tensor.defined() && isHalf(tensor.scalar_type()); }

bool isWritten(const c10::Argument &argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

bool namesType(const c10::Argument &argument) {
  return argument.name() == "dtype" || argument.name() == "input_dtype";
}

bool takesGenerator(const c10::Argument &argument) {
  const auto optional = argument.type()->cast<c10::OptionalType>();
  return optional != nullptr && optional->getElementType()->kind() == c10::TypeKind::GeneratorType;
}

} // namespace

bool hasHalves(const c10::IValue &value) {
  if (value.isTensor()) return isHalf(value.toTensor());
  if (!value.isTensorList()) return false;
  for (const at::Tensor &each : value.toTensorVector()) {
    if (isHalf(each)) return true;
  }
  return false;
}

CpuCall::CpuCall(const c10::OperatorHandle &operation, bool wide)
    : operation_(operation), schema_(operation.schema()), wide_(wide) {}

void CpuCall::run(const std::vector<c10::IValue> &arguments, torch::jit::Stack &stack) {
  for (const c10::IValue &each : arguments) {
    if (each.isTensor() && isHalf(each.toTensor())) narrow_ = each.toTensor().scalar_type();
  }
  for (size_t index = 0; index < arguments.size(); ++index)
    stack.push_back(lent(arguments[index], schema_.arguments()[index]));
  checkPlaces();
  operation_.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &stack);
  for (const Widened &each : widened_) {
    if (each.isWritten) each.narrow.resize_(each.wide.sizes()).copy_(each.wide);
  }
  lending_.settle();
  const size_t results = schema_.returns().size();
  for (size_t index = 0; index < results; ++index) {
    c10::IValue &value = stack[stack.size() - results + index];
    value = takenBack(value, index);
  }
}

c10::IValue CpuCall::lent(const c10::IValue &value, const c10::Argument &argument) {
  if (value.isTensor()) return lentTensor(value.toTensor(), argument);
  if (value.isTensorList()) {
    c10::List<at::Tensor> all;
    for (const at::Tensor &each : value.toTensorVector())
      all.push_back(lentTensor(each, argument));
    return all;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> all;
    for (const std::optional<at::Tensor> &each : value.toOptionalTensorVector())
      all.push_back(each ? std::optional<at::Tensor>(lentTensor(*each, argument)) : each);
    return all;
  }
  if (value.isGenerator()) return hostGenerator(value.toGenerator());
  if (value.isNone() && takesGenerator(argument)) return hostGenerator(defaultGenerator());
  if (value.isDevice() && value.toDevice().is_cuda()) return kHost;
  return wide_ ? lentNumber(value, argument) : value;
}

at::Tensor CpuCall::lentTensor(const at::Tensor &tensor, const c10::Argument &argument) {
  if (!tensor.defined()) return tensor;
  if (tensor.is_cpu() && tensor.dim() > 0) onHost_ = argument.name();
  if (!tensor.is_cuda()) return tensor;
  onGpu_ = true;
  const at::Tensor view = lending_.lend(tensor);
  if (!wide_ || !isHalf(tensor)) return view;
  for (const Widened &each : widened_) {
    if (each.narrow.is_same(view)) return each.wide;
  }
  const at::Tensor wide = view.to(at::kFloat);
  widened_.push_back({view, wide, isWritten(argument)});
  return wide;
}

/** Types that a call names are wide ones too, and softmax need not widen what is wide already. */
c10::IValue CpuCall::lentNumber(const c10::IValue &value, const c10::Argument &argument) {
  if (namesType(argument) && value.isInt() && isHalf(static_cast<at::ScalarType>(value.toInt())))
    return static_cast<int64_t>(at::kFloat);
  if (argument.name() == "half_to_float") return false;
  return value;
}

void CpuCall::checkPlaces() {
  const std::string &name = schema_.name();
  if (!onGpu_ || onHost_.empty() || isMixed(name)) return;
  TORCH_CHECK(
      false,
      "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! "
      "(when checking argument for argument ",
      onHost_, " in method ", name, ")");
}

c10::IValue CpuCall::takenBack(const c10::IValue &value, size_t result) {
  if (value.isTensor()) return takenBack(value.toTensor(), result);
  if (!value.isTensorList()) return value;
  c10::List<at::Tensor> all;
  for (const at::Tensor &each : value.toTensorVector())
    all.push_back(takenBack(each, result));
  return all;
}

at::Tensor CpuCall::takenBack(const at::Tensor &tensor, size_t result) {
  return tensor.defined() && tensor.is_cpu() ? lending_.takeBack(narrowed(tensor, result)) : tensor;
}

at::Tensor CpuCall::narrowed(const at::Tensor &tensor, size_t result) {
  for (const Widened &each : widened_) {
    if (each.wide.is_same(tensor)) return each.narrow;
  }
  const bool wasWidened = !widened_.empty() && tensor.scalar_type() == at::kFloat;
  return wasWidened && !staysWide(schema_.name(), result) ? tensor.to(narrow_) : tensor;
}

} // namespace kernelwright
