"""Writes expected.json: texture and surface instructions on images, with the results of the model in sampling.py.

Run it again after a change: python3 generate.py
"""

import json
from pathlib import Path

from sampling import Image, Sampler, fetch, fetch_index, gather, single

LANES = 32
SIZES = {"linear": (40, 1, 1), "1d": (13, 1, 1), "2d": (9, 6, 1), "3d": (5, 4, 3), "a1d": (7, 1, 4), "a2d": (6, 5, 3)}
DIMENSIONS = {"1d": 1, "2d": 2, "3d": 3, "a1d": 1, "a2d": 2}
FORMATS = [(bits, format) for bits in (8, 16, 32) for format in ("signed", "unsigned", "float") if (bits, format) != (8, "float")]
MODES = ("wrap", "clamp", "mirror", "border")


def places(size, normalized, salt):
    """Coordinates in and around the image, in steps that single precision holds exactly."""
    step = 1 / 1024 if normalized else 1 / 128
    reach = 3 if normalized else size + 6
    span = int(reach / step)
    return [((salt * 7919 + lane * 104729) % span - span // 3) * step for lane in range(LANES)]


def described(image):
    width, height, depth = image.size
    pitch = width * image.channels * image.bits // 8
    return {"geometry": image.geometry, "width": width, "height": height, "depth": depth, "pitch": pitch, "slice": pitch * height,
            "channels": image.channels, "bits": image.bits, "format": image.format, "data": image.data.hex()}


def sampler_of(sampler):
    return {"addressing": list(sampler.modes), "isLinear": sampler.linear, "isNormalized": sampler.normalized, "readsNormalized": sampler.reads_normalized,
            "isSrgb": sampler.srgb, "border": list(sampler.border)}


def result_type(image, sampler):
    if image.format == "float" or (sampler.reads_normalized and image.bits < 32):
        return "f32"
    return "s32" if image.format == "signed" else "u32"


def texture_case(image, sampler, form, columns, results, more=""):
    return {"instruction": form, "more": more, "image": described(image), "sampler": sampler_of(sampler), "coordinates": columns, "results": results}


def sampled(geometry, image, sampler, salt, how=""):
    dimensions = DIMENSIONS[geometry]
    columns = [places(image.size[axis], sampler.normalized, salt + axis) for axis in range(dimensions)]
    layered = geometry.startswith("a")
    layers = [(lane * 5 + salt) % (image.size[2] + 2) for lane in range(LANES)] if layered else None
    results = []
    for lane in range(LANES):
        layer = min(layers[lane], image.size[2] - 1) if layered else 0
        results.append(fetch(image, sampler, [column[lane] for column in columns], layer))
    words = [[single(value) for value in column] for column in columns]
    if layered:
        words.insert(0, layers)
    more = {"": "", ".level": ", %f31", ".grad": ", {%f30, %f31}, {%f31, %f30}" if dimensions == 2 else ", {%f30, %f31, %f30, %f31}, {%f31, %f30, %f30, %f31}" if dimensions == 3 else ", {%f30}, {%f31}"}[how]
    return texture_case(image, sampler, f"tex{how}.{geometry}.v4.{result_type(image, sampler)}.f32", words, results, more)


def texture_cases():
    cases, salt = [], 0
    for geometry in ("1d", "2d", "3d", "a1d", "a2d"):
        for index, mode in enumerate(MODES):
            for normalized in (False, True):
                for linear in (False, True):
                    salt += 1
                    image = Image(geometry, SIZES[geometry], (1, 2, 4)[salt % 3], 32, "float")
                    modes = (mode, MODES[(index + salt) % 4], MODES[(index + 2 * salt) % 4])
                    cases.append(sampled(geometry, image, Sampler(modes, linear, normalized, border=(single(0.5), single(-2), single(3), single(1))), salt))
    for bits, format in FORMATS:
        for channels in (1, 2, 4):
            for reads in (False, True):
                salt += 1
                image = Image("2d", SIZES["2d"], channels, bits, format)
                linear = format == "float" or (reads and bits < 32 and channels != 2)
                border = (single(0.25),) * 4 if format == "float" or (reads and bits < 32) else (3, 250, 77, 9)
                cases.append(sampled("2d", image, Sampler(("border", "clamp", "clamp"), linear, False, reads, border=border), salt))
    for linear in (False, True):
        image = Image("2d", SIZES["2d"], 4, 8, "unsigned")
        cases.append(sampled("2d", image, Sampler(("clamp",) * 3, linear, True, True, True), salt + linear))
    for geometry in DIMENSIONS:
        for how in (".level", ".grad"):
            image = Image(geometry, SIZES[geometry], 2, 32, "float")
            cases.append(sampled(geometry, image, Sampler(("clamp",) * 3, True, False), salt, how))
    return cases


def index_cases():
    cases = []
    for number, (bits, format) in enumerate(FORMATS):
        for geometry in ("linear", "1d"):
            for reads in (False, True):
                image = Image(geometry, SIZES[geometry], (1, 2, 4)[number % 3], bits, format)
                sampler = Sampler(("border" if number % 2 else "wrap",) * 3, False, False, reads, border=(7, 8, 9, 10))
                indices = [(lane * 29) % (image.size[0] + 8) - 4 for lane in range(LANES)]
                results = [fetch_index(image, sampler, index) for index in indices]
                cases.append(texture_case(image, sampler, f"tex.1d.v4.{result_type(image, sampler)}.s32", [[index & 0xFFFFFFFF for index in indices]], results))
    return cases


def gather_cases():
    cases = []
    for channel, name in enumerate("rgba"):
        for bits, format in ((32, "float"), (8, "unsigned"), (16, "signed")):
            image = Image("2d", SIZES["2d"], 4 if channel != 1 else 1, bits, format)
            sampler = Sampler(("wrap", "mirror", "clamp"), False, True)
            columns = [places(image.size[axis], True, channel + axis) for axis in range(2)]
            results = [gather(image, sampler, [column[lane] for column in columns], channel) for lane in range(LANES)]
            cases.append(texture_case(image, sampler, f"tld4.{name}.2d.v4.{result_type(image, sampler)}.f32", [[single(value) for value in column] for column in columns], results))
    return cases


def query_cases():
    image = Image("3d", SIZES["3d"], 1, 32, "float")
    flat = Image("a2d", SIZES["a2d"], 1, 32, "float")
    cases = []
    for opcode in ("txq", "suq"):
        for query, at in (("width", 0), ("height", 1), ("depth", 2)):
            for each in (image, flat):
                size = 0 if each is flat and query == "depth" else each.size[at]
                case = texture_case(each, Sampler(("clamp",) * 3), f"{opcode}.{query}.b32", [], [[size, 0, 0, 0]] * LANES)
                cases.append({**case, "sampler": case["sampler"] if opcode == "txq" else None})
    return cases


def surface_place(image, geometry, words, bytes_each, boundary):
    """Byte offset of an access; None where it is dropped."""
    width, height, depth = image.size
    row = width * image.channels * image.bits // 8
    order = {"1d": (words[0], 0, 0), "2d": (*words[:2], 0), "3d": words, "a1d": (words[1], 0, words[0]), "a2d": (words[1], words[2], words[0])}[geometry]
    most = (row - bytes_each, height - 1, depth - 1)
    if boundary == "clamp":
        order = tuple(sorted((0, value, limit))[1] for value, limit in zip(order, most))
    if any(not 0 <= value <= limit for value, limit in zip(order, most)):
        return None
    return (order[2] * height + order[1]) * row + order[0]


def surface_words(image, geometry, bytes_each, boundary, salt):
    """Coordinates: bytes in x, rows, slices or layers; outside as well unless that is a trap."""
    width, height, depth = image.size
    count = width * image.channels * image.bits // 8 // bytes_each
    ranges = {"1d": (count,), "2d": (count, height), "3d": (count, height, depth), "a1d": (depth, count), "a2d": (depth, count, height)}[geometry]
    x_at = 1 if geometry.startswith("a") else 0
    columns = []
    for axis, size in enumerate(ranges):
        column = []
        for lane in range(LANES):
            value = (lane * (3, 5, 7)[axis] + salt) % (size if boundary == "trap" else size + 4)
            if boundary != "trap" and not (geometry.startswith("a") and axis == 0):
                value -= 2
            column.append(value * bytes_each if axis == x_at else value)
        columns.append(column)
    return columns


def surface_cases():
    cases, salt = [], 0
    for geometry in DIMENSIONS:
        for boundary in ("trap", "clamp", "zero"):
            for bits in (8, 16, 32, 64):
                for vector in (1, 2, 4):
                    if bits * vector > 128:
                        continue
                    salt += 1
                    size = bits * vector // 8
                    image = Image(geometry, (8, *SIZES[geometry][1:]), 4, 32, "unsigned")
                    columns = surface_words(image, geometry, size, boundary, salt)
                    cases.append(surface_case(image, geometry, boundary, (bits, vector), columns))
    return cases


def surface_case(image, geometry, boundary, shape, columns):
    """A load of each lane, and a store of other bytes at the same places: later lanes win."""
    bits, vector = shape
    size = bits * vector // 8
    loads, after = [], bytearray(image.data)
    for lane in range(LANES):
        place = surface_place(image, geometry, tuple(column[lane] for column in columns) + (0,) * (3 - len(columns)), size, boundary)
        loads.append((bytes(size) if place is None else image.data[place:place + size]).hex())
        if place is not None:
            after[place:place + size] = bytes((lane * 16 + index + 1) & 255 for index in range(size))
    name = f"b.{geometry}.{f'v{vector}.' if vector > 1 else ''}b{bits}.{boundary}"
    words = [[value & 0xFFFFFFFF for value in column] for column in columns]
    return {"instruction": name, "image": described(image), "coordinates": words, "loads": loads, "after": bytes(after).hex()}


def lines(cases):
    return "[\n" + ",\n".join("    " + json.dumps(case, separators=(",", ":")) for case in cases) + "\n  ]"


def main():
    textures = texture_cases() + index_cases() + gather_cases() + query_cases()
    text = f'{{\n  "textures": {lines(textures)},\n  "surfaces": {lines(surface_cases())}\n}}\n'
    Path(__file__).with_name("expected.json").write_text(text)


if __name__ == "__main__":
    main()
