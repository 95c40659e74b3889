"""Video instructions on whole registers, on halves and on bytes (PTX ISA, "Video Instructions"), with integers of any size."""

import random

from cases import Suite, of_type, signed
from values import integers

COMPARE = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y, "le": lambda x, y: x <= y, "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y}
OPERATIONS = {"vadd": lambda x, y: x + y, "vsub": lambda x, y: x - y, "vabsdiff": lambda x, y: abs(x - y), "vmin": min, "vmax": max,
              "vavrg": lambda x, y: (x + y + (1 if x + y >= 0 else 0)) >> 1}


def clamp(value, bits, is_signed):
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    return max(least, min(most, value))


def second(combine, value, other, kind):
    """The second operation works on 32 bits of the result's sign."""
    if combine == "add":
        return value + other
    choose = min if combine == "min" else max
    return choose(of_type(value, kind), of_type(other, kind))


def emit(suite, text, function, with_third=True, parts=("", "", ""), signs=("", "", "")):
    """`parts` are those of the result, a and b; `signs` stand before a, b and c."""
    expected = [function(*row) for row in zip(*suite.columns)]
    operands = [f"{signs[0]}%a{parts[1]}", f"{signs[1]}%b{parts[2]}", f"{signs[2]}%c"][:3 if with_third else 2]
    suite.case(f"{text} %o0{parts[0]}, {', '.join(operands)};", "words", [("b32", expected)])


def scalars(suite):
    kinds = ("u32", "s32")
    variants = [(d, a, b) for d in kinds for a in kinds for b in kinds]
    for index, (d, a, b) in enumerate(variants):
        for name, operation in OPERATIONS.items():
            if name == "vavrg":
                continue
            for saturate in ("", "sat"):
                for combine in (("", "add", "min", "max") if index % 2 == 0 or saturate else ("",)):
                    def run(x, y, z):
                        value = operation(of_type(x, a), of_type(y, b))
                        value = clamp(value, 32, d == "s32") if saturate else value
                        return second(combine, value, z, d) if combine else value
                    emit(suite, ".".join(filter(None, [name, d, a, b, saturate, combine])), run, with_third=combine != "")
        for name in ("vshl", "vshr"):
            if b == "s32":
                continue
            for mode in ("clamp", "wrap"):
                for saturate, combine in (("", ""), ("sat", ""), ("", "add"), ("sat", "min"), ("", "min"), ("", "max")):
                    def shift(x, y, z):
                        amount = min(y, 32) if mode == "clamp" else y & 31
                        value = of_type(x, a) << amount if name == "vshl" else of_type(x, a) >> amount
                        value = clamp(value, 32, d == "s32") if saturate else value
                        return second(combine, value, z, d) if combine else value
                    emit(suite, ".".join(filter(None, [name, d, a, b, saturate, mode, combine])), shift, with_third=combine != "")
    for a in kinds:
        for b in kinds:
            for name, compare in COMPARE.items():
                for combine in ("", "add", "min", "max"):
                    def test(x, y, z):
                        value = int(compare(of_type(x, a), of_type(y, b)))
                        return second(combine, value, z, a) if combine else value
                    emit(suite, ".".join(filter(None, ["vset", a, b, name, combine])), test, with_third=combine != "")


# Lowest bit and size of what a scalar instruction may name of a register.
PIECES = {"": (0, 32), ".b0": (0, 8), ".b1": (8, 8), ".b2": (16, 8), ".b3": (24, 8), ".h0": (0, 16), ".h1": (16, 16)}
KINDS = ("u32", "s32")


def select(word, part, kind):
    shift, bits = PIECES[part]
    value = word >> shift & ((1 << bits) - 1)
    return signed(value, bits) if kind == "s32" else value


def merge(value, part, other):
    shift, bits = PIECES[part]
    mask = ((1 << bits) - 1) << shift
    return value << shift & mask | other & ~mask


def scalar_parts(suite):
    """All pairs of parts of a and b; of the result each with every operation."""
    source = random.Random("video/parts")
    kind = lambda: source.choice(KINDS)
    some = lambda: source.choice(list(PIECES))
    for name, operation in OPERATIONS.items():
        if name == "vavrg":
            continue
        pairs = [(x, y) for x in PIECES for y in PIECES] if name in ("vsub", "vmin") else [(some(), some()) for _ in PIECES]
        for first, second_part in pairs:
            for target in PIECES if len(pairs) == len(PIECES) else [some()]:
                d, a, b, saturate = kind(), kind(), kind(), source.choice(["", "sat"])
                combine = source.choice(["", "add", "min", "max"]) if not target else ""
                def run(x, y, z):
                    value = operation(select(x, first, a), select(y, second_part, b))
                    value = clamp(value, PIECES[target][1], d == "s32") if saturate else value
                    return second(combine, value, z, d) if combine else merge(value, target, z)
                emit(suite, ".".join(filter(None, [name, d, a, b, saturate, combine])), run, with_third=bool(combine or target), parts=(target, first, second_part))
    for name in ("vshl", "vshr"):
        for target in PIECES:
            for mode in ("clamp", "wrap"):
                for saturate in ("", "sat"):
                    d, a, first, amount_part = kind(), kind(), some(), some()
                    def shift(x, y, z):
                        value, amount = select(x, first, a), select(y, amount_part, "u32")
                        amount = min(amount, 32) if mode == "clamp" else amount & 31
                        value = value << amount if name == "vshl" else value >> amount
                        return merge(clamp(value, PIECES[target][1], d == "s32") if saturate else value, target, z)
                    emit(suite, ".".join(filter(None, [name, d, a, "u32", saturate, mode])), shift, with_third=bool(target), parts=(target, first, amount_part))
    for name, compare in COMPARE.items():
        for target in PIECES:
            a, b, first, second_part = kind(), kind(), some(), some()
            def test(x, y, z):
                return merge(int(compare(select(x, first, a), select(y, second_part, b))), target, z)
            emit(suite, f"vset.{a}.{b}.{name}", test, with_third=bool(target), parts=(target, first, second_part))


def multiply_add(suite):
    """vmad as the manual's pseudocode has it, with numbers of any length."""
    source = random.Random("video/vmad")
    variants = [("", ("", "", "")), ("po", ("", "", "")), ("", ("-", "", "")), ("", ("", "-", "")), ("", ("-", "-", "")), ("", ("", "", "-"))]
    for d in KINDS:
        for a in KINDS:
            for b in KINDS:
                for plus_one, signs in variants:
                    for saturate in ("", "sat"):
                        for scale in ("", "shr7", "shr15"):
                            first, second_part = source.choice(["", source.choice(list(PIECES))]), source.choice(["", source.choice(list(PIECES))])
                            negated = (signs[0] == "-") != (signs[1] == "-")
                            is_signed = "s32" in (a, b) or negated or signs[2] == "-"
                            def run(x, y, z):
                                total = select(x, first, a) * select(y, second_part, b)
                                one = 1 if plus_one or negated or signs[2] else 0
                                total = ~total if negated else total
                                z = ~z if signs[2] else z
                                total = total + of_type(z, "s32" if is_signed else "u32") + one >> {"": 0, "shr7": 7, "shr15": 15}[scale]
                                return clamp(total, 32, is_signed) if saturate else total
                            emit(suite, ".".join(filter(None, ["vmad", d, a, b, plus_one, saturate, scale])), run, parts=("", first, second_part), signs=signs)


def packed_parts(suite):
    """Numbers of the result from any two of those in a and b; a mask of them is put into c or added to it."""
    source = random.Random("video/packed")
    for count in (2, 4):
        bits, letter = 32 // count, {2: "h", 4: "b"}[count]
        masks = [mask for mask in range(1, 1 << count)]
        choose = lambda default: source.choice([default, [source.randrange(2 * count) for _ in range(count)]])
        named = lambda numbers, default: "" if numbers is default else "." + letter + "".join(str(number) for number in reversed(numbers))
        for name in [name for name in OPERATIONS] + list(COMPARE):
            for index, mask in enumerate(masks if count == 4 else masks * 3):
                option = ("", "sat", "add")[(index if count == 4 else index // len(masks)) % 3]
                low, high = list(range(count)), list(range(count, 2 * count))
                first, second_choice = choose(low), choose(high)
                d, a, b = (source.choice(KINDS) for _ in range(3))
                option = "" if name in COMPARE and option == "sat" else option
                target = "" if mask == (1 << count) - 1 and source.random() < 0.5 else "." + letter + "".join(str(at) for at in reversed(range(count)) if mask >> at & 1)
                def run(x, y, z):
                    taken = lambda numbers, kind: [(parts(x, bits, kind) + parts(y, bits, kind))[number] for number in numbers]
                    pairs = list(zip(taken(first, a), taken(second_choice, b)))
                    values = [int(COMPARE[name](*pair)) if name in COMPARE else OPERATIONS[name](*pair) for pair in pairs]
                    values = [clamp(value, bits, d == "s32") for value in values] if option == "sat" else values
                    if option == "add":
                        return z + sum(value for at, value in enumerate(values) if mask >> at & 1)
                    return join([value if mask >> at & 1 else z >> bits * at for at, value in enumerate(values)], bits)
                head = [f"vset{count}", a, b, name] if name in COMPARE else [f"{name}{count}", d, a, b]
                emit(suite, ".".join(filter(None, [*head, option])), run, parts=(target, named(first, low), named(second_choice, high)))


def parts(word, bits, kind):
    values = [word >> at & ((1 << bits) - 1) for at in range(0, 32, bits)]
    return [signed(value, bits) if kind == "s32" else value for value in values]


def join(values, bits):
    return sum((value & ((1 << bits) - 1)) << (bits * index) for index, value in enumerate(values))


def packed(suite):
    kinds = ("u32", "s32")
    for count in (2, 4):
        bits = 32 // count
        for a in kinds:
            for b in kinds:
                for d in kinds:
                    for name, operation in OPERATIONS.items():
                        for option in ("", "sat", "add"):
                            def run(x, y, z):
                                values = [operation(left, right) for left, right in zip(parts(x, bits, a), parts(y, bits, b))]
                                if option == "sat":
                                    values = [clamp(value, bits, d == "s32") for value in values]
                                return sum(values) + z if option == "add" else join(values, bits)
                            emit(suite, ".".join(filter(None, [f"{name}{count}", d, a, b, option])), run)
                for name, compare in COMPARE.items():
                    for option in ("", "add"):
                        def test(x, y, z):
                            values = [int(compare(left, right)) for left, right in zip(parts(x, bits, a), parts(y, bits, b))]
                            return sum(values) + z if option == "add" else join(values, bits)
                        emit(suite, ".".join(filter(None, [f"vset{count}", a, b, name, option])), test)


def main():
    suite = Suite("video")
    suite.columns = [integers(32, f"video/{index}", 24) for index in range(3)]
    # Some amounts of shifts that are not all too large.
    suite.columns[1][::3] = [value % 40 for value in suite.columns[1][::3]]
    suite.input_set("words", *(("b32", column) for column in suite.columns))
    scalars(suite)
    packed(suite)
    scalar_parts(suite)
    multiply_add(suite)
    packed_parts(suite)
    suite.write()


if __name__ == "__main__":
    main()
