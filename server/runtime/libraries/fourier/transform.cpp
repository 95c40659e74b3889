#include "libraries/fourier/transform.hpp"

#include <cmath>

namespace kernelwright::fourier {
namespace {

constexpr double kPi = 3.14159265358979323846;
/** A sum over a larger prime costs more than a convolution. */
constexpr size_t kLargestPrime = 61;

Complex turn(double part, int sign) { return std::polar(1.0, sign * 2 * kPi * part); }

/** The library's product looks for infinities, which costs ten times as much. */
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/** Prime factors in ascending order, with fours in the place of pairs of twos. */
std::vector<size_t> factorsOf(size_t length) {
  std::vector<size_t> factors;
  for (; length % 4 == 0; length /= 4)
    factors.push_back(4);
  for (size_t prime = 2; prime * prime <= length; ++prime) {
    for (; length % prime == 0; length /= prime)
      factors.push_back(prime);
  }
  if (length > 1) factors.push_back(length);
  return factors;
}

size_t powerOfTwo(size_t least) {
  size_t power = 1;
  while (power < least)
    power *= 2;
  return power;
}

} // namespace

Transform::Transform(size_t length, int sign) : length_(length), sign_(sign), factors_(factorsOf(length)) {
  turns_.resize(length);
  for (size_t index = 0; index < length; ++index)
    turns_[index] = turn(static_cast<double>(index) / static_cast<double>(length), sign);
}

void Transform::apply(std::vector<Complex> &values) const {
  if (length_ < 2) return;
  if (factors_.back() > kLargestPrime) {
    convolve(values);
    return;
  }
  const std::vector<Complex> from = values;
  recurse(from.data(), 1, values.data(), length_, 0);
}

/** Every `step`th number is transformed to adjacent ones (Cooley and Tukey, by the factors in turn). */
void Transform::recurse(const Complex *from, size_t step, Complex *to, size_t length, size_t factor) const {
  if (length == 1) {
    *to = *from;
    return;
  }
  const size_t radix = factors_[factor];
  const size_t part = length / radix;
  for (size_t index = 0; index < radix; ++index)
    recurse(from + index * step, step * radix, to + index * part, part, factor + 1);
  const size_t whole = length_ / length;
  const size_t across = length_ / radix;
  Complex terms[kLargestPrime];
  for (size_t at = 0; at < part; ++at) {
    for (size_t index = 0; index < radix; ++index)
      terms[index] = product(to[index * part + at], turns_[index * at * whole]);
    for (size_t result = 0; result < radix; ++result) {
      Complex sum = terms[0];
      for (size_t index = 1; index < radix; ++index)
        sum += product(terms[index], turns_[index * result % radix * across]);
      to[result * part + at] = sum;
    }
  }
}

void Transform::convolve(std::vector<Complex> &values) const {
  const size_t wide = powerOfTwo(2 * length_);
  std::vector<Complex> chirp(length_);
  for (size_t index = 0; index < length_; ++index) {
    const size_t square = index * index % (2 * length_);
    chirp[index] = turn(static_cast<double>(square) / static_cast<double>(2 * length_), sign_);
  }
  std::vector<Complex> left(wide);
  std::vector<Complex> right(wide);
  for (size_t index = 0; index < length_; ++index) {
    left[index] = product(values[index], chirp[index]);
    right[index] = std::conj(chirp[index]);
    if (index > 0) right[wide - index] = right[index];
  }
  const Transform there(wide, -1);
  there.apply(left);
  there.apply(right);
  for (size_t index = 0; index < wide; ++index)
    left[index] = product(left[index], right[index]);
  Transform(wide, 1).apply(left);
  for (size_t index = 0; index < length_; ++index)
    values[index] = product(left[index], chirp[index]) / static_cast<double>(wide);
}

} // namespace kernelwright::fourier
