// Transforms of device memory, as plans lay them out. They are computed in double precision and rounded once.
#include <map>

#include "libraries/fourier/plan.hpp"
#include "libraries/fourier/transform.hpp"
#include "memory/operands.hpp"

namespace kernelwright::fourier {
namespace {

/** Which side of a transform is real. */
enum class Kind { complex, fromReal, toReal };

Kind kindOf(cufftType type) {
  if (type == CUFFT_R2C || type == CUFFT_D2Z) return Kind::fromReal;
  return type == CUFFT_C2R || type == CUFFT_Z2D ? Kind::toReal : Kind::complex;
}

/** The numbers of one transform on one side: those of the other half follow from them when the other side is
 * real. */
std::vector<long long> sizesOf(const Plan &plan, bool isHalf) {
  std::vector<long long> sizes = plan.sizes;
  if (isHalf) sizes.back() = sizes.back() / 2 + 1;
  return sizes;
}

long long countOf(const std::vector<long long> &sizes) {
  long long count = 1;
  for (const long long size : sizes)
    count *= size;
  return count;
}

/** The rows of one side when the program gives no layout: real rows are padded when both sides are in one
 * place. */
Layout packed(const std::vector<long long> &sizes, bool isReal, bool inPlace) {
  std::vector<long long> own = sizes;
  if (isReal && inPlace) own.back() = 2 * (own.back() / 2 + 1);
  return {1, countOf(own), own};
}

/** Goes through all numbers of a transform in order: `visit(where it lies, its place among packed ones)`. */
template <typename Visit>
void eachNumber(const Layout &layout, long long transform, const std::vector<long long> &sizes, Visit visit) {
  std::vector<long long> at(sizes.size());
  const long long count = countOf(sizes);
  for (long long index = 0; index < count; ++index) {
    visit(static_cast<size_t>(layout.place(transform, at)), static_cast<size_t>(index));
    for (size_t axis = sizes.size(); axis-- > 0;) {
      if (++at[axis] < sizes[axis]) break;
      at[axis] = 0;
    }
  }
}

/** Numbers from the first to the last that a side holds. */
size_t spanOf(const Layout &layout, long long batch, const std::vector<long long> &sizes) {
  std::vector<long long> last = sizes;
  for (long long &each : last)
    --each;
  return static_cast<size_t>(layout.place(batch - 1, last)) + 1;
}

/** The transforms of a plan along its axes; those of equal length are one. */
class Axes {
public:
  explicit Axes(int sign) : sign_(sign) {}

  /** Transforms every line along an axis of packed numbers. */
  void along(size_t axis, const std::vector<long long> &sizes, std::vector<Complex> &values) {
    const size_t length = static_cast<size_t>(sizes[axis]);
    size_t step = 1;
    for (size_t later = axis + 1; later < sizes.size(); ++later)
      step *= static_cast<size_t>(sizes[later]);
    std::vector<Complex> line(length);
    for (size_t first = 0; first < values.size(); first += step * length) {
      for (size_t beside = 0; beside < step; ++beside) {
        Complex *start = values.data() + first + beside;
        for (size_t index = 0; index < length; ++index)
          line[index] = start[index * step];
        of(length).apply(line);
        for (size_t index = 0; index < length; ++index)
          start[index * step] = line[index];
      }
    }
  }

private:
  const Transform &of(size_t length) {
    const auto found = all_.find(length);
    return found != all_.end() ? found->second : all_.emplace(length, Transform(length, sign_)).first->second;
  }

  int sign_;
  std::map<size_t, Transform> all_;
};

/** Keeps the first half of each row, and what lies in its middle. */
std::vector<Complex> halved(const std::vector<Complex> &values, size_t length) {
  const size_t half = length / 2 + 1;
  std::vector<Complex> kept(values.size() / length * half);
  for (size_t index = 0; index < kept.size(); ++index)
    kept[index] = values[index / half * length + index % half];
  return kept;
}

/** Whole rows of halves: the other half is the conjugate of the first, mirrored. */
std::vector<Complex> mirrored(const std::vector<Complex> &values, size_t length) {
  const size_t half = length / 2 + 1;
  std::vector<Complex> whole(values.size() / half * length);
  for (size_t index = 0; index < whole.size(); ++index) {
    const size_t row = index / length * half;
    const size_t at = index % length;
    whole[index] = at < half ? values[row + at] : std::conj(values[row + length - at]);
  }
  return whole;
}

std::vector<Complex> transformed(const Plan &plan, Axes &axes, std::vector<Complex> values) {
  const Kind kind = kindOf(plan.type);
  const size_t last = plan.sizes.size() - 1;
  const auto length = static_cast<size_t>(plan.sizes[last]);
  const std::vector<long long> across = sizesOf(plan, kind != Kind::complex);
  if (kind != Kind::toReal) axes.along(last, plan.sizes, values);
  if (kind == Kind::fromReal) values = halved(values, length);
  for (size_t axis = 0; axis < last; ++axis)
    axes.along(axis, across, values);
  if (kind != Kind::toReal) return values;
  values = mirrored(values, length);
  axes.along(last, plan.sizes, values);
  return values;
}

Complex wide(float value) { return value; }
Complex wide(double value) { return value; }
template <typename T> Complex wide(std::complex<T> value) { return {value.real(), value.imag()}; }

void narrow(Complex value, float &to) { to = static_cast<float>(value.real()); }
void narrow(Complex value, double &to) { to = value.real(); }
template <typename T> void narrow(Complex value, std::complex<T> &to) {
  to = {static_cast<T>(value.real()), static_cast<T>(value.imag())};
}

template <typename T> Extent extentOf(const std::vector<T> &values) { return {values.size() * sizeof(T), 1}; }

/** Reads, transforms and writes all of a batch. */
template <typename In, typename Out> cudaError_t perform(const Plan &plan, int sign, In *from, Out *to) {
  const Kind kind = kindOf(plan.type);
  const bool inPlace = static_cast<void *>(from) == static_cast<void *>(to);
  const std::vector<long long> inputSizes = sizesOf(plan, kind == Kind::toReal);
  const std::vector<long long> outputSizes = sizesOf(plan, kind == Kind::fromReal);
  const Layout input = plan.hasLayouts ? plan.input : packed(inputSizes, kind == Kind::fromReal, inPlace);
  const Layout output = plan.hasLayouts ? plan.output : packed(outputSizes, kind == Kind::toReal, inPlace);
  std::vector<In> read(spanOf(input, plan.batch, inputSizes));
  std::vector<Out> written(spanOf(output, plan.batch, outputSizes));
  const Rows target = {reinterpret_cast<char *>(to), 0};
  cudaError_t error = readOperand(read.data(), {reinterpret_cast<char *>(from), 0}, extentOf(read));
  // What lies between the results stays as it is.
  const bool isDense = static_cast<long long>(written.size()) == countOf(outputSizes) * plan.batch;
  if (error == cudaSuccess && !isDense) error = readOperand(written.data(), target, extentOf(written));
  if (error != cudaSuccess) return error;
  Axes axes(sign);
  std::vector<Complex> values;
  for (long long each = 0; each < plan.batch; ++each) {
    values.assign(static_cast<size_t>(countOf(inputSizes)), Complex());
    eachNumber(input, each, inputSizes,
               [&](size_t place, size_t index) { values[index] = wide(read[place]); });
    values = transformed(plan, axes, std::move(values));
    eachNumber(output, each, outputSizes,
               [&](size_t place, size_t index) { narrow(values[index], written[place]); });
  }
  return writeOperand(target, written.data(), extentOf(written));
}

template <typename In, typename Out>
cufftResult execute(const char *function, cufftHandle handle, cufftType type, int sign, In *from, Out *to) {
  const Plan *plan = planOf(handle);
  if (plan == nullptr || !plan->isMade) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return refused(function, "the plan is one for another type", CUFFT_INVALID_PLAN);
  if (from == nullptr || to == nullptr) return CUFFT_INVALID_VALUE;
  if (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE)
    return refused(function, "a direction of " + std::to_string(sign), CUFFT_INVALID_VALUE);
  const Plan kept = *plan;
  const cudaError_t error = issueWork(kept.stream, [=] { return perform(kept, sign, from, to); });
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

std::complex<float> *numbers(cufftComplex *from) { return reinterpret_cast<std::complex<float> *>(from); }
std::complex<double> *numbers(cufftDoubleComplex *from) {
  return reinterpret_cast<std::complex<double> *>(from);
}

} // namespace
} // namespace kernelwright::fourier

using namespace kernelwright::fourier;

extern "C" {

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *from, cufftComplex *to, int direction) {
  return execute(__func__, plan, CUFFT_C2C, direction, numbers(from), numbers(to));
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal *from, cufftComplex *to) {
  return execute(__func__, plan, CUFFT_R2C, CUFFT_FORWARD, from, numbers(to));
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *from, cufftReal *to) {
  return execute(__func__, plan, CUFFT_C2R, CUFFT_INVERSE, numbers(from), to);
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *from, cufftDoubleComplex *to, int direction) {
  return execute(__func__, plan, CUFFT_Z2Z, direction, numbers(from), numbers(to));
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *from, cufftDoubleComplex *to) {
  return execute(__func__, plan, CUFFT_D2Z, CUFFT_FORWARD, from, numbers(to));
}

cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *from, cufftDoubleReal *to) {
  return execute(__func__, plan, CUFFT_Z2D, CUFFT_INVERSE, numbers(from), to);
}

} // extern "C"
