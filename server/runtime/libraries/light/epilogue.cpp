#include "libraries/light/epilogue.hpp"

#include <algorithm>
#include <cmath>

namespace kernelwright::light {
namespace {

using blas::Matrix;

constexpr uint32_t kRelu = 2;
constexpr uint32_t kBias = 4;
constexpr uint32_t kReluGradient = 8;
constexpr uint32_t kBiasGradient = 16;
constexpr uint32_t kGelu = 32;
constexpr uint32_t kGeluGradient = 64;
constexpr uint32_t kAuxiliary = 128;

/** GELU by its usual approximation with a hyperbolic tangent. */
constexpr float kSlope = 0.7978845608f;
constexpr float kCubic = 0.044715f;

float gelu(float x) { return 0.5f * x * (1 + std::tanh(kSlope * (x + kCubic * x * x * x))); }

float geluSlope(float x) {
  const float tangent = std::tanh(kSlope * (x + kCubic * x * x * x));
  const float inner = kSlope * (1 + 3 * kCubic * x * x);
  return 0.5f * (1 + tangent) + 0.5f * x * (1 - tangent * tangent) * inner;
}

cudaError_t readScale(const float *address, float &value) {
  value = 1;
  if (address == nullptr) return cudaSuccess;
  char *bytes = reinterpret_cast<char *>(const_cast<float *>(address));
  return readOperand(&value, {bytes, sizeof value}, {sizeof value, 1});
}

} // namespace

LightEpilogue::LightEpilogue(const Operation &operation, cudaDataType outputs, long long batch, bool turned)
    : operation_(operation), outputs_(outputs), batch_(batch), turned_(turned) {}

blas::Strided LightEpilogue::biasPlace() const {
  const cudaDataType type =
      operation_.biasType < 0 ? outputs_ : static_cast<cudaDataType>(operation_.biasType);
  const blas::Place first = {operation_.bias, type, 1};
  return {first.shifted(batch_ * operation_.biasStride).address, type, 1};
}

blas::Place LightEpilogue::auxiliaryPlace() const {
  const cudaDataType type =
      operation_.auxiliaryType < 0 ? outputs_ : static_cast<cudaDataType>(operation_.auxiliaryType);
  const blas::Place first = {operation_.auxiliary, type, operation_.auxiliaryLeading};
  return first.shifted(batch_ * operation_.auxiliaryStride);
}

size_t LightEpilogue::rowsOf(const Matrix<float> &result) const {
  return turned_ ? result.columns : result.rows;
}

cudaError_t LightEpilogue::addBias(Matrix<float> &result) const {
  std::vector<float> bias(rowsOf(result));
  const cudaError_t error = read(bias, biasPlace());
  if (error != cudaSuccess) return error;
  for (size_t column = 0; column < result.columns; ++column) {
    for (size_t row = 0; row < result.rows; ++row)
      result.at(row, column) += bias[turned_ ? column : row];
  }
  return cudaSuccess;
}

/** The auxiliary buffer of RELU holds one bit for each number: whether it was positive. */
cudaError_t LightEpilogue::maskBySign(Matrix<float> &result) const {
  const size_t pitch = static_cast<size_t>(operation_.auxiliaryLeading) / 8;
  const Rows rows = {static_cast<char *>(operation_.auxiliary) + batch_ * operation_.auxiliaryStride / 8,
                     pitch};
  const Extent extent = {(result.rows + 7) / 8, result.columns};
  std::vector<uint8_t> bits(extent.width * extent.height);
  const bool reads = (operation_.epilogue & kReluGradient) != 0;
  if (reads) {
    const cudaError_t error = readOperand(bits.data(), rows, extent);
    if (error != cudaSuccess) return error;
  }
  for (size_t column = 0; column < result.columns; ++column) {
    for (size_t row = 0; row < result.rows; ++row) {
      uint8_t &byte = bits[column * extent.width + row / 8];
      const uint8_t bit = static_cast<uint8_t>(1u << (row % 8));
      float &value = result.at(row, column);
      if (reads && (byte & bit) == 0) value = 0;
      if (!reads && value > 0) byte = static_cast<uint8_t>(byte | bit);
    }
  }
  return reads ? cudaSuccess : writeOperand(rows, bits.data(), extent);
}

cudaError_t LightEpilogue::activate(Matrix<float> &result) const {
  const uint32_t what = operation_.epilogue;
  cudaError_t error = cudaSuccess;
  if ((what & kAuxiliary) != 0)
    error = (what & kRelu) != 0 ? maskBySign(result) : write(result, auxiliaryPlace());
  for (float &value : result.values) {
    if ((what & kRelu) != 0) value = std::max(value, 0.0f);
    if ((what & kGelu) != 0) value = gelu(value);
  }
  return error;
}

cudaError_t LightEpilogue::differentiate(Matrix<float> &result) const {
  if ((operation_.epilogue & kReluGradient) != 0) return maskBySign(result);
  Matrix<float> inputs(result.rows, result.columns);
  const cudaError_t error = read(inputs, auxiliaryPlace());
  for (size_t index = 0; index < inputs.values.size(); ++index)
    result.values[index] *= geluSlope(inputs.values[index]);
  return error;
}

cudaError_t LightEpilogue::giveBiasGradient(const Matrix<float> &result) const {
  std::vector<float> sums(rowsOf(result));
  for (size_t column = 0; column < result.columns; ++column) {
    for (size_t row = 0; row < result.rows; ++row)
      sums[turned_ ? column : row] += result.at(row, column);
  }
  return write(sums, biasPlace());
}

/** Numbers of 8 bits are scaled; the largest one before that tells the next call its scale. */
cudaError_t LightEpilogue::scale(Matrix<float> &result) const {
  float factor = 1;
  const cudaError_t error = readScale(operation_.scales[3], factor);
  if (error != cudaSuccess) return error;
  float largest = 0;
  for (float &value : result.values) {
    largest = std::max(largest, std::fabs(value));
    value *= factor;
  }
  if (operation_.largest == nullptr) return cudaSuccess;
  return writeOperand({reinterpret_cast<char *>(operation_.largest), sizeof largest}, &largest,
                      {sizeof largest, 1});
}

cudaError_t LightEpilogue::apply(Matrix<float> &result) const {
  const uint32_t what = operation_.epilogue;
  cudaError_t error = cudaSuccess;
  if ((what & kBias) != 0) error = addBias(result);
  if (error == cudaSuccess && (what & (kRelu | kGelu)) != 0) error = activate(result);
  if (error == cudaSuccess && (what & (kReluGradient | kGeluGradient)) != 0) error = differentiate(result);
  if (error == cudaSuccess && (what & kBiasGradient) != 0) error = giveBiasGradient(result);
  return error == cudaSuccess ? scale(result) : error;
}

} // namespace kernelwright::light
