"""The numbers that entries are called with: small ones that tell the sizes apart, and keep to what host code asks of
them.
"""

from __future__ import annotations

import re

from .entries import Entry
from .values.small_sizes import small_sizes
from .text.conditions import Rules


def sizes_in(entry: Entry) -> list[str]:
    """Names of the sizes that the present choices of an entry use, in their order."""
    names = []
    for choice in entry.tensors().values():
        names += [word for each in choice.tensor.dims for word in size_names(each)]
    for each in entry.parameters:
        if each.choice and not each.choice.tensor and re.fullmatch(r"[A-Za-z_]\w*", each.choice.text):
            if each.choice.text not in ("None", "True", "False"):
                names.append(each.choice.text)
    return list(dict.fromkeys(names))


def size_names(size: str | int) -> list[str]:
    """The names in a size, which may be an expression of names."""
    return re.findall(r"[A-Za-z_]\w*", size.replace("ceil_div", "")) if isinstance(size, str) else []


def first_sizes(entry: Entry) -> dict[str, int]:
    """The sizes that an entry is called with first: small ones, or those that its file states."""
    names = sizes_in(entry)
    sizes = small_sizes(names)
    _keep_rules(sizes, entry.rules)
    return {**sizes, **{name: entry.base[name] for name in names if name in entry.base}}


def other_sizes(first: dict[str, int], rules: Rules) -> dict[str, int]:
    """Other powers of two, which tell the sizes apart in another order."""
    parts = {part for _, part in rules.divided}
    growing = {*rules.multiples, *(whole for whole, _ in rules.divided)}

    def other(index: int, name: str, value: int) -> int:
        if name in parts:
            return value
        return 2 * value if index % 2 or name in growing else max(1, value // 2)

    return {
        name: _another(rules, name, value, other(index, name, value))
        for index, (name, value) in enumerate(first.items())
    }


def apart(entry: Entry) -> list[dict[str, int]]:
    """Two assignments of sizes that tell the sizes apart."""
    first = first_sizes(entry)
    return [first, other_sizes(first, entry.rules)]


def told_apart(entry: Entry) -> list[dict[str, int]]:
    """The same two, and odd sizes."""
    return [*apart(entry), odd_sizes(first_sizes(entry), entry.rules)]


def _another(rules: Rules, name: str, first: int, wanted: int) -> int:
    """A value near the wanted one that the rules allow, another one than the first where there is one."""
    if rules.allow(name, wanted):
        return wanted
    listed = [each for each in rules.values.get(name, ()) if each != first]
    near = [listed[0]] if listed else [rules.nearest(name, each) for each in (wanted, 2 * first, first // 2)]
    return next((each for each in near if each != first), first)


def halved(first: dict[str, int]) -> dict[str, int]:
    """Smaller sizes: twice what a file states may be too much work."""
    return {name: max(1, value // 2) for name, value in first.items()}


def odd_sizes(first: dict[str, int], rules: Rules) -> dict[str, int]:
    """Sizes that are no powers of two, and no multiples of a block but where they have to be."""
    parts = {part for _, part in rules.divided}
    wholes = {whole for whole, _ in rules.divided}

    def odd(index: int, name: str, value: int) -> int:
        if name in rules.multiples:
            return value + rules.multiples[name]
        if name in wholes or name in parts:
            return 3 * value if name in wholes else value
        return value + 1 + index if value > 4 else value + 1

    return {
        name: _another(rules, name, value, odd(index, name, value))
        for index, (name, value) in enumerate(first.items())
    }


def _keep_rules(sizes: dict[str, int], rules: Rules) -> None:
    for name in sizes:
        if not rules.allow(name, sizes[name]) and {name} & {*rules.values, *rules.least, *rules.most}:
            sizes[name] = rules.nearest(name, sizes[name])
    for name, step in rules.multiples.items():
        if name not in sizes or sizes[name] % step == 0:
            continue
        others = {value for each, value in sizes.items() if each != name}
        near = [value for value in (step, 2 * step, 4 * step) if value not in others]
        sizes[name] = near[0] if near else step
    for whole, part in rules.divided:
        if whole in sizes and part in sizes and sizes[whole] % sizes[part] != 0:
            sizes[part] = max(1, sizes[whole] // 2)
