"""Exact arithmetic on floating-point formats with fractions: the independent reference of the conformance table."""

from fractions import Fraction
from math import isqrt

# name: (bits of significand with the hidden one, bits of exponent)
FORMATS = {"f16": (11, 5), "bf16": (8, 8), "f32": (24, 8), "f64": (53, 11)}
NAN = "nan"
INFINITY = "inf"


def width(name):
    precision, exponent = FORMATS[name]
    return precision + exponent


def decode(name, bits):
    """Sign (0 or 1) and magnitude: a fraction, INFINITY or NAN."""
    precision, exponent_bits = FORMATS[name]
    sign = bits >> (width(name) - 1)
    field = (bits >> (precision - 1)) & ((1 << exponent_bits) - 1)
    fraction = bits & ((1 << (precision - 1)) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    if field == (1 << exponent_bits) - 1:
        return sign, (NAN if fraction else INFINITY)
    if field == 0:
        return sign, Fraction(fraction) * Fraction(2) ** (2 - bias - precision)
    return sign, Fraction(fraction | (1 << (precision - 1))) * Fraction(2) ** (field - bias - precision + 1)


def special(name, sign, kind):
    precision, exponent_bits = FORMATS[name]
    top = ((1 << exponent_bits) - 1) << (precision - 1)
    if kind == NAN:
        return (1 << (width(name) - 1)) - 1
    return sign << (width(name) - 1) | top


def round_fraction(value, mode, negative):
    """Integer nearest to a non-negative fraction."""
    whole = value.numerator // value.denominator
    rest = value - whole
    if rest == 0:
        return whole
    if mode in ("rn", "rni"):
        return whole + 1 if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2) else whole
    up = mode in ("rp", "rpi") and not negative or mode in ("rm", "rmi") and negative
    return whole + 1 if up else whole


def encode(name, value, mode="rn", zero_sign=0):
    """Bits of a signed fraction rounded to the format; an exact zero takes `zero_sign`."""
    precision, exponent_bits = FORMATS[name]
    bias = (1 << (exponent_bits - 1)) - 1
    negative = value < 0
    magnitude = -value if negative else value
    sign = (1 if negative else 0) << (width(name) - 1)
    if magnitude == 0:
        return zero_sign << (width(name) - 1)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    unit = Fraction(2) ** (exponent - precision + 1)
    significand = round_fraction(magnitude / unit, mode, negative)
    if significand >= 1 << precision:
        significand >>= 1
        exponent += 1
    if exponent > bias:
        infinite = mode == "rn" or (mode == "rp" and not negative) or (mode == "rm" and negative)
        return sign | (special(name, 0, INFINITY) if infinite else special(name, 0, INFINITY) - 1)
    if significand < 1 << (precision - 1):
        return sign | significand
    return sign | (exponent + bias) << (precision - 1) | (significand & ((1 << (precision - 1)) - 1))


def signed(sign, magnitude):
    return -magnitude if sign else magnitude


def flush(name, bits):
    """Subnormal numbers become zeroes of the same sign."""
    sign, magnitude = decode(name, bits)
    precision, exponent_bits = FORMATS[name]
    smallest = Fraction(2) ** (2 - (1 << (exponent_bits - 1)))
    if magnitude not in (NAN, INFINITY) and magnitude < smallest:
        return sign << (width(name) - 1)
    return bits


def saturate(name, bits):
    """Clamp to [0, 1]; a NaN becomes +0."""
    sign, magnitude = decode(name, bits)
    if magnitude == NAN or sign or magnitude == 0:
        return 0
    return encode(name, Fraction(1)) if magnitude == INFINITY or magnitude > 1 else bits


def fma(name, a, b, c, mode="rn"):
    """a times b plus c with one rounding."""
    (sa, x), (sb, y), (sc, z) = (decode(name, bits) for bits in (a, b, c))
    if NAN in (x, y, z):
        return special(name, 0, NAN)
    product_sign = sa ^ sb
    if INFINITY in (x, y):
        if 0 in (x, y) or (z == INFINITY and sc != product_sign):
            return special(name, 0, NAN)
        return special(name, product_sign, INFINITY)
    if z == INFINITY:
        return special(name, sc, INFINITY)
    total = signed(product_sign, x * y) + signed(sc, z)
    exact_zero = sc if x * y == 0 and z == 0 and product_sign == sc else (1 if mode == "rm" else 0)
    return encode(name, total, mode, exact_zero)


def add(name, a, b, mode="rn"):
    return fma(name, a, encode(name, Fraction(1)), b, mode)


def negate(name, bits):
    return bits ^ (1 << (width(name) - 1))


def multiply(name, a, b, mode="rn"):
    (sa, x), (sb, y) = decode(name, a), decode(name, b)
    if NAN in (x, y) or (INFINITY in (x, y) and 0 in (x, y)):
        return special(name, 0, NAN)
    if INFINITY in (x, y):
        return special(name, sa ^ sb, INFINITY)
    return encode(name, signed(sa ^ sb, x * y), mode, sa ^ sb)


def divide(name, a, b, mode="rn"):
    (sa, x), (sb, y) = decode(name, a), decode(name, b)
    if NAN in (x, y) or (x == INFINITY and y == INFINITY) or (x == 0 and y == 0):
        return special(name, 0, NAN)
    if x == INFINITY or y == 0:
        return special(name, sa ^ sb, INFINITY)
    if y == INFINITY:
        return (sa ^ sb) << (width(name) - 1)
    return encode(name, signed(sa ^ sb, x / y), mode, sa ^ sb)


def square_root(name, a, mode="rn"):
    sign, x = decode(name, a)
    if x == NAN or (sign and x != 0):
        return special(name, 0, NAN)
    if x in (INFINITY, 0):
        return a
    # 200 more bits than any format keeps, with a last bit that says whether the root is inexact.
    scale = 400 + (0 if (x.denominator.bit_length() - 1) % 2 == 0 else 1)
    scaled = x.numerator << (scale + (x.denominator.bit_length() - 1) % 2 * 0)
    shift = (x.denominator.bit_length() - 1) + scale
    root = isqrt(scaled)
    inexact = root * root != scaled
    return encode(name, (Fraction(root) * 2 + (1 if inexact else 0)) / 2 / Fraction(2) ** (shift // 2), mode)


def extreme(name, a, b, want_max, keep_nan):
    (_, x), (_, y) = decode(name, a), decode(name, b)
    if NAN in (x, y):
        if keep_nan or x == y:
            return special(name, 0, NAN)
        return b if x == NAN else a
    order = lambda bits: (-(bits & ((1 << (width(name) - 1)) - 1)) - 1) if bits >> (width(name) - 1) else bits
    return (max if want_max else min)(a, b, key=order)


def convert(source, target, bits, mode="rn"):
    sign, magnitude = decode(source, bits)
    if magnitude in (NAN, INFINITY):
        return special(target, sign, magnitude)
    return encode(target, signed(sign, magnitude), mode, sign)


def to_integer(source, bits, mode, target_bits, target_signed):
    """Clamped to the range; NaN as the manual says (section 9.7.9.21)."""
    sign, magnitude = decode(source, bits)
    least = -(1 << (target_bits - 1)) if target_signed else 0
    most = (1 << (target_bits - (1 if target_signed else 0))) - 1
    if magnitude == NAN:
        return 1 << (target_bits - 1) if source == "f64" or target_bits == 64 else 0
    if magnitude == INFINITY:
        return least if sign else most
    whole = signed(sign, round_fraction(magnitude, mode, bool(sign)))
    return max(least, min(most, whole))
