"""Video instructions on whole registers, on halves and on bytes (PTX ISA section 9.7.17), with integers of any size."""

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


def emit(suite, text, function, with_third=True):
    columns = suite.columns if with_third else suite.columns[:2]
    expected = [function(*row) for row in zip(*suite.columns)]
    operands = ", ".join(["%a", "%b", "%c"][:len(columns)])
    suite.case(f"{text} %o0, {operands};", "words", [("b32", expected)])


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
    suite.write()


if __name__ == "__main__":
    main()
