"""Values worth trying: corners of each type, rounding ties, and random ones with a fixed seed."""

import random

from formats import F16, BF16, F32, F64, TF32, decode, encode, exact  # noqa: F401

LANES = 64


def integer_corners(bits):
    top = 1 << (bits - 1)
    return [0, 1, 2, 3, 5, 7, 8, 0x55 % (1 << bits), top - 1, top, top + 1, 2 * top - 1, 2 * top - 2, 1 << (bits // 2), (1 << (bits // 2)) - 1]


def integers(bits, seed, count=LANES):
    """Corners and random numbers of random lengths."""
    source = random.Random(f"{bits}/{seed}")
    corners = integer_corners(bits)
    values = []
    for _ in range(count):
        if source.random() < 0.5:
            values.append(source.choice(corners))
        else:
            magnitude = source.getrandbits(source.randint(1, bits))
            values.append(magnitude if source.random() < 0.5 else -magnitude & ((1 << bits) - 1))
    return values


def float_corners(format):
    """Bits of zeroes, ones, limits, subnormals, infinities, NaN, halves and neighbours of one; of both signs."""
    one = format.bias << format.fraction_bits
    magnitudes = [
        0, 1, 2, 3, format.smallest_normal - 1, format.smallest_normal, format.smallest_normal + 1, one - 1, one, one + 1, one + format.smallest_normal,
        one - format.smallest_normal, one + format.smallest_normal // 2, format.largest, format.largest - 1, format.infinity, format.nan & (format.sign - 1),
        encode(exact(3), format), encode(exact(10), format), (one + format.smallest_normal * 2) | 1,
    ]
    return [sign | magnitude for magnitude in magnitudes for sign in (0, format.sign)]


def floats(format, seed, count=LANES, corner_share=0.45):
    """Corners, numbers near one and any bits at all."""
    source = random.Random(f"{format.name}/{seed}")
    corners = float_corners(format)
    one = format.bias << format.fraction_bits
    values = []
    for _ in range(count):
        choice = source.random()
        if choice < corner_share:
            values.append(source.choice(corners))
        elif choice < corner_share + 0.35:
            spread = min(4, (1 << format.exponent_bits) // 4)
            near = one + source.randint(-spread, spread) * format.smallest_normal + source.getrandbits(format.fraction_bits)
            values.append(near | (format.sign if source.random() < 0.5 else 0))
        else:
            values.append(source.getrandbits(format.bits))
    return values


def float_pairs(format, seed, count=LANES):
    """Two columns that often cancel, tie or repeat."""
    source = random.Random(f"{format.name}/{seed}/pairs")
    left, right = floats(format, f"{seed}/left", count), floats(format, f"{seed}/right", count)
    for index in range(count):
        choice = source.random()
        if choice < 0.1:
            right[index] = left[index]
        elif choice < 0.2:
            right[index] = left[index] ^ format.sign
        elif choice < 0.35:
            # Half a unit of the other one: a tie of a sum.
            field = (left[index] & (format.sign - 1)) >> format.fraction_bits
            distance = format.fraction_bits + 1
            if distance < field < (1 << format.exponent_bits) - 1:
                right[index] = (field - distance) << format.fraction_bits | (format.sign if source.random() < 0.5 else 0)
    return left, right


def float_triples(format, seed, count=LANES):
    """As pairs, with addends that often cancel the product or sit half a unit from it."""
    source = random.Random(f"{format.name}/{seed}/triples")
    left, right = float_pairs(format, seed, count)
    addends = floats(format, f"{seed}/addend", count)
    for index in range(count):
        product_of = decode(left[index], format), decode(right[index], format)
        if any(number.kind != "finite" for number in product_of) or source.random() < 0.4:
            continue
        product = product_of[0].value * product_of[1].value
        addends[index] = encode(exact(-product), format) if product else addends[index]
        if source.random() < 0.5 and addends[index] & (format.sign - 1) < format.infinity - (1 << format.fraction_bits):
            addends[index] ^= source.choice([1, format.sign, 3])
    return left, right, addends
