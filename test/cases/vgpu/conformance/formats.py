"""Exact numbers of the floating-point formats: integers and fractions only, so that every expectation is right by construction.

A number is a Fraction, a signed zero, an infinity or a NaN; `decode` reads bits, `encode` rounds an exact value to a format (IEEE 754 section 4.3).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt


@dataclass(frozen=True)
class Format:
    """Sizes of the fields in bits and the NaN that instructions deliver."""

    name: str
    bits: int
    exponent_bits: int
    fraction_bits: int
    nan: int

    @property
    def bias(self):
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def sign(self):
        return 1 << (self.bits - 1)

    @property
    def infinity(self):
        return ((1 << self.exponent_bits) - 1) << self.fraction_bits

    @property
    def largest(self):
        return self.infinity - 1

    @property
    def smallest_normal(self):
        return 1 << self.fraction_bits


F16 = Format("f16", 16, 5, 10, 0x7FFF)
BF16 = Format("bf16", 16, 8, 7, 0x7FFF)
F32 = Format("f32", 32, 8, 23, 0x7FFFFFFF)
F64 = Format("f64", 64, 11, 52, 0x7FFFFFFFFFFFFFFF)
TF32 = Format("tf32", 19, 8, 10, 0x3FFFF)
FORMATS = {format.name: format for format in (F16, BF16, F32, F64, TF32)}


@dataclass(frozen=True)
class Number:
    """`kind` is "finite", "infinite" or "nan"; a finite number is `value`, whose sign counts when it is zero."""

    kind: str
    negative: bool = False
    value: Fraction = Fraction(0)

    @property
    def nan(self):
        return self.kind == "nan"

    @property
    def infinite(self):
        return self.kind == "infinite"

    @property
    def zero(self):
        return self.kind == "finite" and self.value == 0


NAN = Number("nan")


def infinity(negative):
    return Number("infinite", negative)


def zero(negative):
    return Number("finite", negative)


def exact(value):
    return Number("finite", value < 0, Fraction(value))


def decode(bits, format):
    negative = bits & format.sign != 0
    field = (bits & (format.sign - 1)) >> format.fraction_bits
    fraction = bits & (format.smallest_normal - 1)
    if field == (1 << format.exponent_bits) - 1:
        return NAN if fraction else infinity(negative)
    magnitude = fraction if field == 0 else fraction | format.smallest_normal
    value = Fraction(magnitude) * Fraction(2) ** (max(field, 1) - format.bias - format.fraction_bits)
    return Number("finite", negative, -value if negative else value)


def round_integer(value, mode, negative):
    """A non-negative Fraction to an integer; `negative` is the sign that the magnitude stands for."""
    whole = value.numerator // value.denominator
    rest = value - whole
    if rest == 0:
        return whole
    if mode == "rn":
        return whole + (1 if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1) else 0)
    if mode == "rna":
        return whole + (1 if rest >= Fraction(1, 2) else 0)
    if mode == "rz":
        return whole
    return whole + (1 if (mode == "rp") != negative else 0)


def exponent_of(value):
    """Floor of the base-2 logarithm of a positive Fraction."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1


def encode(number, format, mode="rn"):
    """Bits of the rounded number. NaN is the format's one NaN."""
    if number.nan:
        return format.nan
    sign = format.sign if number.negative else 0
    if number.infinite:
        return sign | format.infinity
    if number.zero:
        return sign
    magnitude = abs(number.value)
    exponent = max(exponent_of(magnitude), 1 - format.bias)
    units = round_integer(magnitude / Fraction(2) ** (exponent - format.fraction_bits), mode, number.negative)
    # A carry out of the fraction moves into the exponent field by itself; so does a subnormal that becomes normal.
    bits = units + ((exponent + format.bias - 1) << format.fraction_bits)
    if bits >= format.infinity:
        away = mode in ("rn", "rna") or (mode == "rp" and not number.negative) or (mode == "rm" and number.negative)
        bits = format.infinity if away else format.largest
    return sign | bits


def flush(bits, format):
    """Subnormal numbers become zeroes of the same sign."""
    magnitude = bits & (format.sign - 1)
    return bits & format.sign if 0 < magnitude < format.smallest_normal else bits


def saturate(bits, format):
    """Into [0, 1]; NaN becomes +0."""
    number = decode(bits, format)
    if number.nan or number.negative or number.zero:
        return 0
    one = format.bias << format.fraction_bits
    return min(bits, one)


def add(x, y, mode="rn"):
    if x.nan or y.nan or (x.infinite and y.infinite and x.negative != y.negative):
        return NAN
    if x.infinite or y.infinite:
        return x if x.infinite else y
    total = x.value + y.value
    if total != 0:
        return exact(total)
    if x.zero and y.zero and x.negative == y.negative:
        return zero(x.negative)
    return zero(mode == "rm")


def negate(x):
    return x if x.nan else Number(x.kind, not x.negative, -x.value)


def multiply(x, y):
    negative = x.negative != y.negative
    if x.nan or y.nan or (x.infinite and y.zero) or (x.zero and y.infinite):
        return NAN
    if x.infinite or y.infinite:
        return infinity(negative)
    return Number("finite", negative, x.value * y.value)


def fused(x, y, z, mode="rn"):
    return add(multiply(x, y), z, mode)


def divide(x, y):
    negative = x.negative != y.negative
    if x.nan or y.nan or (x.infinite and y.infinite) or (x.zero and y.zero):
        return NAN
    if x.infinite or y.zero:
        return infinity(negative)
    if y.infinite:
        return zero(negative)
    return Number("finite", negative, x.value / y.value)


def square_root(x):
    """Exact where the root is rational; else a neighbour so close that every format rounds it the same way."""
    if x.nan or (x.negative and not x.zero):
        return NAN
    if x.infinite or x.zero:
        return x
    scaled = x.value.numerator * x.value.denominator << 1400
    root = isqrt(scaled)
    sticky = Fraction(0) if root * root == scaled else Fraction(1, 2)
    return exact((root + sticky) / (Fraction(x.value.denominator) * (1 << 700)))
