"""Makes of a kernel's file what a kernel spec needs: how its host code is called, with which tensors and sizes."""

from __future__ import annotations

import ast
import dataclasses
from typing import TYPE_CHECKING

from .budget import Budget
from .values.choices import Choice, Tensor
from .entries import Entry, entries_of
from .text.hints import KernelParameters, Source
from .module_state import take_state
from .outcome import describe
from .recorded import RecordedCall
from .scaling import find_scaled
from .search import Attempt, alternatives, fit, shape_in, try_widths
from .settling.reaching import Reaching
from .settling.shrinking import Shrinking
from .settling.untying import Untying
from .sizes import apart, first_sizes, halved, sizes_in, told_apart
from .values.usual import USUAL
from .stated import Names, stated_entry

if TYPE_CHECKING:
    from .attempts import Attempts

#: Entries that are looked at, and runs on the virtual GPU for one.
_MOST_ENTRIES = 12
_MOST_RUNS = 16
#: Shapes that are tried for a tensor where a part of what comes back is left.
_MOST_SHAPES = 3
#: Multiples of what most kernels have for the width of a block, and of what a product of tiles needs.
_WHOLE_BLOCK, _WHOLE_TILE = 128, 16
#: Sizes below are counts of a few, such as heads.
_LEAST_LONG = 8
#: What all entries may use: seconds of processor time, and warp-level instructions.
_SECONDS = 60.0
_INSTRUCTIONS = 160_000_000


class Prober:
    """Finds an entry that runs. params: those of `load`, kernel, pointers (parameters that are pointers)."""

    def __init__(self, attempts: Attempts, params: dict) -> None:
        self._attempts = attempts
        self._params = params
        USUAL.take(params["usual"])
        self._budget = Budget(_SECONDS, _INSTRUCTIONS)
        recorded = params.get("recorded")
        #: A call of a program; where there is one no other is looked for.
        self._recorded = RecordedCall(recorded) if recorded else None
        #: Choices that a fault has led to, for the entry at hand.
        self._tried: set[tuple[str, int]] = set()
        #: What was chosen for a parameter before other types were tried for it.
        self._types: dict[str, int] = {}
        self._has_whole_blocks = False
        self._problems: list[tuple[tuple[int, int], str]] = []

    def probe(self) -> dict:
        """{"found": true, …the parts of a spec} or {"found": false, "problem": sentence}."""
        file = self._params["call"].partition("::")[0]
        kernel = KernelParameters(
            self._params["kernel"], self._params["parameters"], set(self._params["pointers"])
        )
        self._source = source = Source(self._params["files"][file], kernel)
        entries = entries_of(source, kernel.name, kernel.pointers)
        for entry in entries[:_MOST_ENTRIES]:
            if self._budget.is_spent:
                break
            for version in self._versions(entry):
                described = self._try(version)
                if described is not None:
                    return described
        if not entries:
            return {
                "found": False,
                "problem": "no function of %s launches %s" % (file, self._params["kernel"]),
            }
        _, problem = max(self._problems, default=((0, 0), "no entry was tried"))
        return {"found": False, "problem": problem}

    def _versions(self, entry: Entry) -> list[Entry]:
        """The entry with what its file states, in small sizes and in those that it states, before a search for all."""
        hints = self._source.hints(entry.function)
        if self._recorded is not None:
            version = self._recorded.entry(entry, hints, self._runs)
            return [version] if version else []
        names = Names(self._attempts.constants(), hints)
        stated = stated_entry(entry, lambda text: self._attempts.evaluate(text, {}), names)
        if stated is None:
            return [entry]
        whole = dataclasses.replace(stated, base=stated.stated, state=[], gradients=[])
        return [stated, whole, entry] if stated.stated else [stated, entry]

    def _runs(self, entry: Entry, otherwise: bool) -> bool:
        """Whether an entry with a recorded call's arguments runs: with its first sizes, or with smaller ones."""
        sizes = halved(first_sizes(entry)) if otherwise else first_sizes(entry)
        self._attempts.below, self._attempts.values = self._recorded.bounds(entry), self._recorded.values
        return self._attempts.attempt(entry, sizes).stage == 3 and self._run(entry, sizes).stage == 3

    def _try(self, entry: Entry) -> dict | None:
        self._tried = set()
        self._types = {}
        self._has_whole_blocks = False
        self._attempts.below, self._attempts.filled, self._attempts.data = {}, set(), set()
        if self._recorded is not None:
            self._attempts.below = self._recorded.bounds(entry)
        best = find_scaled(entry, self._attempts.attempt, self._attempts.constants())
        if best.stage < 3:
            self._fail(entry, best)
            return None
        if entry.module and not take_state(entry, self._attempts):
            best.problem = "the sizes of its weights follow no rule that is known"
            self._fail(entry, best)
            return None
        if entry.backward and not self._take_gradients(entry):
            return None
        confirmed = self._confirm(entry)
        if confirmed is not None and confirmed.stage == 3:
            confirmed = self._settled(entry, confirmed)
        if confirmed is None or confirmed.stage < 3:
            self._fail(entry, confirmed or best)
            return None
        if not entry.stated:
            entry.stated, entry.said = self._told(entry), True
        self._attempts.late = self._budget.is_spent
        described = describe(self._run, self._attempts.attempt, self._attempts, entry, confirmed)
        if not described["found"]:
            self._problems.append(((3, 0), described["problem"]))
            return None
        return described

    def _settled(self, entry: Entry, made: Attempt) -> Attempt:
        """The last run of the entry, once its shapes are no larger than need be and its outputs are known."""
        before = first_sizes(entry)
        Shrinking(self._run, self._attempts.attempt, self._budget).shrink(entry, made)
        # Names of sizes get their values in the order in which shapes have them.
        if first_sizes(entry) != before:
            made = self._run(entry, first_sizes(entry))
        if made.stage < 3:
            return made
        reaching = Reaching(self._run, self._attempts.attempt, self._attempts.measure, self._budget)
        made = self._untied(entry, reaching.settle(entry, made))
        return self._settle_outputs(entry, self._settle_shapes(entry, made))

    def _untied(self, entry: Entry, made: Attempt) -> Attempt:
        """Sizes that are equal by a guess alone get names of their own."""
        if entry.base or entry.backward or self._recorded is not None:
            return made

        def renew(entry: Entry) -> bool:
            entry.state = []
            return not entry.module or take_state(entry, self._attempts)

        return Untying(self._run, self._attempts.attempt, self._budget, renew).untie(entry, made)

    def _told(self, entry: Entry) -> dict[str, int]:
        """What comments of the file say of the sizes."""
        stated = self._params["stated"]
        told = {name: stated.get(name.lower(), 0) for name in sizes_in(entry)}
        # A size of one is a special case, such as one token to decode.
        return {name: number for name, number in told.items() if number > 1}

    def _run(self, entry: Entry, sizes: dict[str, int]) -> Attempt:
        """A call on the virtual GPU."""
        self._attempts.late = self._budget.is_spent
        made = self._attempts.attempt(entry, sizes, dry=False)
        self._budget.charge(made.instructions)
        return made

    def _fail(self, entry: Entry, attempt: Attempt) -> None:
        what = attempt.problem or "it returned without launching %s" % self._params["kernel"]
        # What takes no arguments is a test or a script: what it says of its own is told elsewhere.
        rank = attempt.rank if entry.parameters else (-1, 0)
        self._problems.append((rank, "%s was called as %s: %s" % (entry.function.name, entry.text(), what)))

    def _take_gradients(self, entry: Entry) -> bool:
        """Makes the gradients of the results inputs of a backward pass."""
        entry.backward = False
        cases = apart(entry)
        tried = [self._attempts.attempt(entry, sizes) for sizes in cases]
        entry.backward = True
        if any(each.stage < 2 for each in tried):
            return False
        for index, (dtype, shape, *_) in enumerate(tried[0].results):
            if "float" not in dtype:
                continue
            dims = [
                fit([each.results[index][1][axis] for each in tried], cases) for axis in range(len(shape))
            ]
            if None in dims:
                return False
            alias = "gradient" if index == 0 else "gradient_%d" % index
            entry.gradients.append((alias, Choice("?", Tensor(dtype, tuple(dims)), "probed")))
        return True

    def _confirm(self, entry: Entry) -> Attempt | None:
        """Runs the entry on the virtual GPU and changes what a fault blames, until it runs."""
        made = None
        for _ in range(_MOST_RUNS):
            if self._budget.is_spent:
                return made
            made = self._run(entry, first_sizes(entry))
            if made.stage == 3:
                return made
            if not self._amend(entry, made):
                return made
        return made

    def _settle_shapes(self, entry: Entry, made: Attempt) -> Attempt:
        """Where launches leave a part of what comes back, such as the gradient of a weight that is thought to be a
        matrix, a tensor that is a guess may have fewer dimensions.
        """
        for parameter in entry.parameters:
            choice, kept = parameter.choice, parameter.chosen
            if made.left == 0 or choice is None or not choice.tensor or choice.origin != "guessed":
                continue
            for other, index in alternatives(entry, parameter.alias)[:_MOST_SHAPES]:
                if self._budget.is_spent or len(other.choices[index].tensor.dims) >= len(choice.tensor.dims):
                    continue
                parameter.chosen = index
                again = self._run(entry, first_sizes(entry))
                if again.stage == 3 and again.left == 0:
                    return again
                parameter.chosen = kept
        return made

    def _settle_outputs(self, entry: Entry, made: Attempt) -> Attempt:
        """Finds out which arguments are there to be filled: nothing of them is read, and all of it is
        written. A tensor that is not written whole may have another shape.
        """
        for alias in sorted(made.changed & set(entry.tensors())):
            found = self._whole(entry, alias)
            if found is not None:
                self._attempts.filled.add(alias)
                made = found
        return made

    def _whole(self, entry: Entry, alias: str) -> Attempt | None:
        """A run after which the argument, handed over without contents, is written whole; its shape stays."""
        sizes = first_sizes(entry)
        first = self._without_contents(entry, alias, sizes)
        extents = first.written.get(alias)
        tensor = entry.tensors()[alias].tensor
        if first.stage < 3 or alias in first.uninitialized or extents is None:
            return None
        if extents == shape_in(tensor, sizes):
            return self._run(entry, sizes)
        parameter = next(each for each in entry.parameters if each.alias == alias)
        cases, seen = [sizes], [extents]
        for other in told_apart(entry)[1:]:
            further = self._without_contents(entry, alias, other).written.get(alias)
            if further is not None:
                cases, seen = [*cases, other], [*seen, further]
        dims = tuple(fit([each[axis] for each in seen], cases) for axis in range(len(extents)))
        if None in dims:
            return None
        kept, parameter.chosen = parameter.chosen, len(parameter.choices)
        parameter.choices.append(Choice("?", Tensor(tensor.dtype, dims), "probed"))
        sizes = first_sizes(entry)
        again = self._without_contents(entry, alias, sizes)
        if again.stage == 3 and again.written.get(alias) == shape_in(parameter.choice.tensor, sizes):
            return self._run(entry, sizes)
        parameter.chosen = kept
        return None

    def _without_contents(self, entry: Entry, alias: str, sizes: dict[str, int]) -> Attempt:
        self._attempts.unwritten = {alias}
        try:
            return self._run(entry, sizes)
        finally:
            self._attempts.unwritten = set()

    def _amend(self, entry: Entry, made: Attempt) -> bool:
        """Changes one choice after a run that failed; False when nothing is left to change."""
        whole = [alias for alias, each in entry.tensors().items() if "int" in each.tensor.dtype]
        if made.fault and any(self._attempts.below.get(alias) != "1" for alias in whole):
            for alias in whole:
                self._attempts.below[alias] = "1"
            return True
        faulty = entry.tensors().get(made.faulty or "")
        if faulty is not None and faulty.origin == "inferred" and self._amend_multiples(entry, made):
            return True
        if made.faulty:
            for parameter, index in alternatives(entry, made.faulty):
                kept = parameter.chosen
                parameter.chosen = index
                sizes = first_sizes(entry)
                if (made.faulty, index) not in self._tried and self._attempts.attempt(
                    entry, sizes
                ).stage == 3:
                    self._tried.add((made.faulty, index))
                    return True
                parameter.chosen = kept
        if made.fault:
            return self._amend_sizes(entry) or self._amend_multiples(entry, made)
        return self._amend_types(entry, made) or _amend_halves(entry) or self._amend_multiples(entry, made)

    def _amend_multiples(self, entry: Entry, made: Attempt) -> bool:
        """Asks for whole blocks where a mask is missing, for whole tiles where the compiler wants them: a size, or
        all but the smallest, that is a multiple of how wide they are.
        """
        if self._has_whole_blocks or entry.base:
            return False
        self._has_whole_blocks = True
        asked = entry.asked
        long = [name for name, size in first_sizes(entry).items() if size >= _LEAST_LONG]
        whole = [([name], _WHOLE_BLOCK) for name in long] if made.fault else [(long, _WHOLE_TILE)]
        for chosen, step in [*whole, (long, _WHOLE_BLOCK)]:
            entry.asked = dataclasses.replace(
                asked, multiples={**asked.multiples, **dict.fromkeys(chosen, step)}
            )
            sizes = first_sizes(entry)
            if self._attempts.attempt(entry, sizes).stage < 3 or self._budget.is_spent:
                continue
            if self._run(entry, sizes).stage == 3:
                return True
        entry.asked = asked
        return False

    def _amend_types(self, entry: Entry, made: Attempt) -> bool:
        """Of what is a guess, the next choice of another type: the compiler did not take the present one."""
        runs = lambda: self._attempts.attempt(entry, first_sizes(entry)).stage == 3
        if try_widths(entry, made.problem, self._tried, runs):
            return True
        for parameter in entry.parameters:
            choice, kept = parameter.choice, parameter.chosen
            if choice is None or (choice.origin != "guessed" and choice.tensor is None):
                continue
            for index, other in enumerate(parameter.choices):
                key = (parameter.name, _type_of(other))
                if other is None or key in self._tried or _type_of(other) == _type_of(choice):
                    continue
                if other.tensor and choice.tensor and other.tensor.dims != choice.tensor.dims:
                    continue
                self._tried |= {key, (parameter.name, _type_of(choice))}
                self._types.setdefault(parameter.name, kept)
                parameter.chosen = index
                if self._attempts.attempt(entry, first_sizes(entry)).stage == 3:
                    return True
            parameter.chosen = self._types.get(parameter.name, kept)
        return False

    def _amend_sizes(self, entry: Entry) -> bool:
        """Tries another size for an integer that is a guess."""
        for parameter in entry.parameters:
            choice, kept = parameter.choice, parameter.chosen
            if (
                choice is None
                or choice.tensor
                or not choice.text.isidentifier()
                or choice.origin != "guessed"
            ):
                continue
            for index, other in enumerate(parameter.choices):
                if other is None or not other.text.isidentifier() or (parameter.name, index) in self._tried:
                    continue
                self._tried.add((parameter.name, index))
                parameter.chosen = index
                if self._attempts.attempt(entry, first_sizes(entry)).stage == 3:
                    return True
            parameter.chosen = kept
        return False


def _amend_halves(entry: Entry) -> bool:
    """Makes all float32 tensors float16."""
    floats = [each for each in entry.parameters if each.choice and each.choice.tensor]
    halves = [
        (each, index)
        for each in floats
        for index, choice in enumerate(each.choices)
        if choice
        and choice.tensor
        and choice.tensor.dtype == "float16"
        and each.choice.tensor.dtype == "float32"
        and choice.tensor.dims == each.choice.tensor.dims
    ]
    for parameter, index in halves:
        parameter.chosen = index
    return bool(halves)


def _type_of(choice: Choice | None) -> str:
    """What kind of value a choice is."""
    if choice is None:
        return "default"
    return choice.tensor.dtype if choice.tensor else type(_literal(choice.text)).__name__


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except ValueError:
        # The name of a size.
        return 1
