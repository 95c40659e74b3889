"""A model of textures after the CUDA C++ Programming Guide ("Texture Fetching"), in exact arithmetic and written apart from the virtual GPU."""

import math
import struct
from fractions import Fraction


def single(value):
    """Bits of the single-precision number nearest to an exact one."""
    return struct.unpack("<I", struct.pack("<f", float(value)))[0]


def half(value):
    """The half-precision number nearest to an exact one: what a filter makes of halves, as recorded on an H100."""
    return Fraction(struct.unpack("<e", struct.pack("<e", float(value)))[0])


def number(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


class Image:
    """Texels of one format in slices, rows and columns; `data` holds their channels as they lie in memory."""

    def __init__(self, geometry, size, channels, bits, format):
        self.geometry, self.size, self.channels, self.bits, self.format = geometry, size, channels, bits, format
        width, height, depth = size
        count = width * height * depth * channels
        self.data = bytes((37 * index * index + 11 * index + 5) % 251 for index in range(count * bits // 8))
        if format == "float":
            codes = {16: "e", 32: "f"}
            values = [((29 * index) % 127 - 63) / 4 for index in range(count)]
            self.data = struct.pack(f"<{count}{codes[bits]}", *values)

    def raw(self, x, y, z, channel):
        width, height, _ = self.size
        code = {("signed", 8): "b", ("unsigned", 8): "B", ("signed", 16): "h", ("unsigned", 16): "H", ("signed", 32): "i", ("unsigned", 32): "I",
                ("float", 16): "e", ("float", 32): "f"}[self.format, self.bits]
        index = ((z * height + y) * width + x) * self.channels + channel
        return struct.unpack_from(f"<{code}", self.data, index * self.bits // 8)[0]


class Sampler:
    def __init__(self, modes, linear=False, normalized=False, reads_normalized=False, srgb=False, border=(0, 0, 0, 0)):
        self.modes, self.linear, self.normalized, self.reads_normalized, self.srgb, self.border = modes, linear, normalized, reads_normalized, srgb, border


def is_float(image, sampler):
    return image.format == "float" or (sampler.reads_normalized and image.bits < 32)


def converted(image, sampler, value, channel):
    """A channel's value as a number, or as an integer that stays one."""
    if image.format == "float" or not is_float(image, sampler):
        return value
    most = 2 ** (image.bits - (image.format == "signed")) - 1
    part = max(-1.0, value / most)
    if sampler.srgb and image.format == "unsigned" and image.bits == 8 and channel < 3:
        part = part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
    return number(single(part))


def texel(image, sampler, place, channel):
    """The channel of the texel at a place that may lie outside: each dimension by its addressing mode."""
    inside = []
    for axis, index in enumerate(place):
        size, mode = image.size[axis], sampler.modes[axis]
        if not sampler.normalized and mode in ("wrap", "mirror"):
            mode = "clamp"
        if mode == "border" and not 0 <= index < size:
            bits = sampler.border[channel]
            return number(bits) if is_float(image, sampler) else bits
        if mode == "clamp":
            index = sorted((0, index, size - 1))[1]
        elif mode == "wrap":
            index -= size * (index // size)
        elif mode == "mirror":
            turns, index = index // size, index - size * (index // size)
            index = size - 1 - index if turns % 2 else index
        inside.append(index)
    return converted(image, sampler, image.raw(*inside, channel), channel)


def bits_of(image, sampler, value):
    return single(value) if is_float(image, sampler) else int(value) & 0xFFFFFFFF


def missing(image, sampler, channel):
    return 0 if channel < 3 else single(1) if is_float(image, sampler) else 1


def in_texels(image, sampler, coordinates):
    return [Fraction(value) * (image.size[axis] if sampler.normalized else 1) for axis, value in enumerate(coordinates)]


def corners(sampler, places, linear):
    """Texels that take part and their shares: weights are 9-bit fixed point with 8 bits of fraction."""
    parts = [((), Fraction(1))]
    for place in places:
        base = place - Fraction(1, 2) if linear else place
        first = math.floor(base)
        weight = Fraction(math.floor((base - first) * 256 + Fraction(1, 2)), 256) if linear else Fraction(0)
        parts = [(done + (first + step,), share * factor) for done, share in parts for step, factor in ((0, 1 - weight), (1, weight))]
    return parts


def fetch(image, sampler, coordinates, layer=0):
    """The four results of a fetch."""
    linear = sampler.linear and is_float(image, sampler)
    parts = corners(sampler, in_texels(image, sampler, coordinates), linear)
    results = []
    for channel in range(4):
        if channel >= image.channels:
            results.append(missing(image, sampler, channel))
            continue
        total = Fraction(0)
        for place, share in parts:
            if share:
                full = place + (0,) * (3 - len(place)) if not layer else place + (0,) * (2 - len(place)) + (layer,)
                total += share * Fraction(texel(image, sampler, full, channel))
        is_half = linear and image.format == "float" and image.bits == 16
        results.append(bits_of(image, sampler, half(total) if is_half else total))
    return results


def gather(image, sampler, coordinates, channel):
    """One channel of the four texels around: lower left, lower right, upper right, upper left."""
    x, y = (math.floor(place - Fraction(1, 2)) for place in in_texels(image, sampler, coordinates))
    if channel >= image.channels:
        return [missing(image, sampler, channel)] * 4
    return [bits_of(image, sampler, texel(image, sampler, (column, row, 0), channel)) for column, row in ((x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y))]


def fetch_index(image, sampler, index):
    if image.geometry == "linear" and not 0 <= index < image.size[0]:
        return [0, 0, 0, 0]
    unscaled = Sampler(sampler.modes, reads_normalized=sampler.reads_normalized, srgb=sampler.srgb, border=sampler.border)
    return fetch(image, unscaled, [index])
