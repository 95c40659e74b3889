"""What was found out about an entry, in the words of a kernel spec."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from .values.choices import Choice
from .entries import Entry
from .ranges import described_input, find_ranges
from .returned import computed_outputs, free_name, kernel_outputs, returned_names
from .scaling import CompiledSizes, Growth, Widening
from .search import Attempt, fit, numbers_in, shape_in
from .sizes import first_sizes, halved, odd_sizes, other_sizes
from .stated_work import StatedSizes
from .values.small_sizes import is_short
from .values.usual import USUAL

if TYPE_CHECKING:
    from .attempts import Attempts

#: Warp-level instructions of the shape that the objective is taken from: some tenths of a second.
_WORK = 4_000_000
#: Steps in which sizes grow: what a step costs tells how far the next one may go. Until then the work is
#: taken to grow with the square of a size, as that of attention does.
_MOST_STEPS = 4
_FIRST_FACTOR = 4.0
_MOST_ELEMENTS = 2**21
#: The most of a size: by its name, of any, and where no tensor has two dimensions.
_MOST = {"columns": 4096}
_LARGEST, _LONGEST = 8192, 2**21

_UNCHANGED_SENTENCE = "result %d of the entry, of the shape %s, is not checked: no kernel changes it."
_ODD_SENTENCE = (
    "only powers of two are checked for some sizes, since others do not run or leave out a rest (%s)."
)


def describe(
    run: Callable[[Entry, dict[str, int]], Attempt],
    dry: Callable[[Entry, dict[str, int]], Attempt],
    probe: Attempts,
    entry: Entry,
    confirmed: Attempt,
) -> dict:
    """The parts of a spec. `run` and `dry` call the entry with sizes, `probe` makes its inputs."""
    return Description(run, dry, probe, entry, confirmed).parts()


class Description:
    """Further runs that turn one call into a spec: outputs, ranges of indices, sizes."""

    def __init__(
        self,
        run: Callable[[Entry, dict[str, int]], Attempt],
        dry: Callable[[Entry, dict[str, int]], Attempt],
        probe: Attempts,
        entry: Entry,
        confirmed: Attempt,
    ) -> None:
        self._run = run
        self._dry = dry
        self._probe = probe
        self._entry = entry
        self._first = first_sizes(entry)
        self._made = confirmed
        #: Runs with other sizes that are to become shapes.
        self._sized: list[tuple[dict[str, int], Attempt]] = []
        self._unknowns: list[dict] = []
        #: How much the work grows where one size is doubled.
        self._factor = _FIRST_FACTOR

    def parts(self) -> dict:
        inputs = self._entry.tensors()
        cases, runs = [self._first], [self._made]
        other = halved(self._first) if self._entry.base else other_sizes(self._first, self._entry.rules)
        again = self._run(self._entry, other) if self._first else None
        if again is not None and again.stage == 3 and len(again.results) == len(self._made.results):
            cases.append(other)
            runs.append(again)
        self._unknowns += find_ranges(self._entry, self._probe, cases, self._runs_with)
        filled = self._probe.filled
        whole = len(cases) > 1 and self._is_whole(runs[1]) and self._fills(other)
        shapes = self._shapes(other if whole else None)
        for sizes, made in self._sized:
            # A size below that of a block says nothing of how many blocks there are.
            if len(made.results) == len(self._made.results):
                cases.append(sizes)
                runs.append(made)
        outputs, call = self._outputs(cases, runs)
        if not outputs:
            outputs, call = self._written_by_kernel(cases, runs)
        if not outputs:
            text = self._entry.text()
            return {"found": False, "problem": "no result of %s is memory that a kernel wrote" % text}
        self._note_guesses()
        return {
            "found": True,
            "call": call,
            "inputs": {
                name: described_input(self._entry, self._probe, name)
                for name, choice in inputs.items()
                if name not in filled
            },
            "outputs": outputs,
            "shapes": shapes,
            "origins": {
                "entry.call": "probed",
                "shapes": "probed" if self._probe.values else "guessed",
                **{"inputs.%s.shape" % name: "probed" for name in inputs if name not in filled},
                **{"outputs.%s.shape" % name: "probed" if name in inputs else "inferred" for name in outputs},
            },
            "unknowns": self._unknowns,
        }

    def _outputs(self, cases: list[dict[str, int]], runs: list[Attempt]) -> tuple[dict[str, dict], str]:
        tensors = self._entry.tensors()
        taken = {*tensors, *self._first}
        names = returned_names(self._entry.function.node)
        if self._entry.backward:
            names = ["%s_gradient" % each for each in self._entry.leaves()]
        results, numbers = self._made.results, numbers_in(self._entry)
        outputs: dict[str, dict] = {}
        kept, unchanged = [], []
        for index, (dtype, shape, part, written) in enumerate(results):
            if not written:
                if part is None:
                    unchanged.append((index, shape))
                continue
            shapes = [made.results[index][1] for made in runs]
            dims = [fit([each[axis] for each in shapes], cases, numbers) for axis in range(len(shape))]
            if None in dims:
                self._unknowns.append(
                    {
                        "path": "outputs",
                        "sentence": "result %d of the entry, of the shape %s, is not checked: its sizes follow no rule that was tried."
                        % (index + 1, shape),
                    }
                )
                continue
            if part in tensors and not self._is_result(part, tensors[part], dims):
                continue
            if part is not None:
                name = part
            else:
                name = names[index] if index < len(names) and len(names) == len(results) else "result"
                name = free_name(name, taken)
            taken.add(name)
            kept.append(index)
            outputs[name] = {"dtype": dtype, "shape": dims}
        if kept:
            self._leave_out(unchanged)
        call = self._entry.text()
        if kept and len(kept) < len(results):
            call = "results(%s, %s)" % (call, ", ".join(str(each) for each in kept))
        elif not kept and results:
            call = "results(%s)" % call
        for name, choice in self._entry.tensors().items():
            if name in self._made.changed and name not in outputs:
                outputs[name] = {"dtype": choice.tensor.dtype, "shape": list(choice.tensor.dims)}
        return outputs, call

    def _is_result(self, name: str, choice: Choice, dims: list) -> bool:
        """Whether what is handed back of an input's memory is a result as it is, not what was only read, and not
        in another shape: what a kernel changed is compared in the input's own.
        """
        return name in self._made.changed and [str(each) for each in dims] == [
            str(each) for each in choice.tensor.dims
        ]

    def _written_by_kernel(
        self, cases: list[dict[str, int]], runs: list[Attempt]
    ) -> tuple[dict[str, dict], str]:
        """What the kernel itself writes, where the entry goes on to compute with it, and what comes of that."""
        taken = {*self._entry.tensors(), *self._first}
        outputs, listed = kernel_outputs(cases, runs, taken)
        # Of one number alone, as a mean near zero, a check could not tell much.
        idle = self._dry(self._entry, self._first) if outputs else None
        computed = {} if idle is None else computed_outputs(self._entry, idle, (cases, runs), taken)
        if computed and self._entry.by_elements:
            # What torch makes by elements of what the kernel writes tells each fault of it.
            outputs, listed = {}, []
        outputs.update(computed.values())
        results = enumerate(self._made.results)
        self._leave_out([(index, result[1]) for index, result in results if index not in computed])
        if computed:
            listed.append("computed=(%s,)" % ", ".join(str(each) for each in computed))
        arguments = ", ".join([self._entry.text(), repr(self._probe.kernel), *listed])
        return outputs, "kernel_arguments(%s)" % arguments

    def _leave_out(self, unchanged: list[tuple[int, list[int]]]) -> None:
        """Says which results are not checked."""
        for index, shape in unchanged:
            sentence = _UNCHANGED_SENTENCE % (index + 1, shape)
            self._unknowns.append({"path": "outputs", "sentence": sentence})

    def _runs_with(self, sizes: dict[str, int]) -> bool:
        made = self._run(self._entry, sizes)
        if made.stage == 3 and sizes is self._first:
            # Longer rows are more work.
            self._made.instructions = max(self._made.instructions, made.instructions)
        return made.stage == 3

    def _shapes(self, other: dict[str, int] | None) -> list[dict]:
        odd = self._odd()
        # Half of what is checked anyway costs a check no more than half as much again.
        checked = self._sized[-1][1].instructions if odd is not None else 0
        large = self._large(min(_WORK, checked // 2))
        shapes = [large] if large != self._first else []
        shapes.append(self._first)
        if odd is not None:
            shapes.append(odd)
        if other is not None:
            shapes.append(other)
        distinct = list({tuple(each.items()): each for each in shapes}.values())
        described = [{"sizes": each} for each in distinct]
        if len(described) > 1:
            described[-1]["heldOut"] = True
        return described

    def _as_stated(self) -> dict[str, int] | None:
        """The sizes that the file states, or so much of the largest ones that a run is not too much work."""
        if self._probe.late:
            return None
        fitting = StatedSizes(self._first, self._made.instructions, self._instructions, self._blocks)
        stated = fitting.affordable(self._entry.stated)
        if stated is None or self._probe.late:
            return None
        runs = self._dry(self._entry, stated).stage == 3 and self._sizes_run(stated)
        return stated if runs else None

    def _instructions(self, sizes: dict[str, int]) -> int | None:
        if self._dry(self._entry, sizes).stage != 3:
            return None
        made = self._run(self._entry, sizes)
        return made.instructions if made.stage == 3 else None

    def _blocks(self, sizes: dict[str, int]) -> int:
        return self._dry(self._entry, sizes).blocks

    def _large(self, least_work: int) -> dict[str, int]:
        """Sizes that the file states, with short lengths doubled that it says nothing of; else such as fill more of
        the GPU, by doubling one after the other, as far as the work allows.
        """
        stated = self._as_stated() if self._entry.stated else None
        if stated is None:
            sizes = self._filling(self._first, self._made, list(self._first), least_work)
            return self._widened(sizes)
        if not self._entry.said:
            return stated
        told = " ".join("%s=%d" % (name, stated[name]) for name in self._entry.stated)
        sentence = "the first shape has what comments of the source say: %s." % told
        self._unknowns.append({"path": "shapes", "sentence": sentence})
        short = [each for each in stated if each not in self._entry.stated and is_short(each, stated[each])]
        return self._filling(stated, self._sized[-1][1], short, least_work)

    def _filling(
        self, sizes: dict[str, int], made: Attempt, names: list[str], least_work: int
    ) -> dict[str, int]:
        """Sizes, with which a run was made, with these of them doubled as far as the work allows."""
        work, able = max(1, made.instructions), None
        compiled = CompiledSizes(self._dry, self._entry, self._first)
        compiled.compiled(made)
        # Each configuration is judged.
        most_work = max(_WORK // self._probe.configurations(), least_work)
        growth = Growth(self._fits, compiled, most_work, fills=len(names) == len(sizes))
        for _ in range(_MOST_STEPS):
            larger = growth.grown(sizes, names if able is None else able, work, self._factor)
            if larger == sizes or self._probe.late:
                break
            if self._grows(larger):
                before, doublings = work, math.log2(math.prod(larger[each] / sizes[each] for each in sizes))
                sizes, work = larger, max(1, self._sized[-1][1].instructions)
                compiled.compiled(self._sized[-1][1])
                self._factor = max(2.0, (work / before) ** (1 / doublings))
            elif able is None:
                able = [name for name in self._able() if name in names]
            else:
                break
        return sizes

    def _widened(self, sizes: dict[str, int]) -> dict[str, int]:
        """The sizes, or larger ones with which more blocks run, where they leave most of a GPU idle."""
        widening = Widening(self._blocks, self._fits)
        made = self._sized[-1][1] if self._sized and self._sized[-1][0] == sizes else self._made
        for larger in widening.proposals(sizes, max(1, made.instructions), self._probe.configurations()):
            if self._probe.late:
                break
            if self._grows(larger):
                return larger
        return sizes

    def _grows(self, sizes: dict[str, int]) -> bool:
        return self._dry(self._entry, sizes).stage == 3 and self._sizes_run(sizes)

    def _able(self) -> list[str]:
        """The sizes that can be doubled together: all but one of them, else those that can besides the ones before."""

        def runs(names: list[str]) -> bool:
            doubled = {**self._first, **{name: 2 * self._first[name] for name in names}}
            made = self._dry(self._entry, doubled)
            made = self._run(self._entry, doubled) if made.stage == 3 and not self._probe.late else made
            return made.stage == 3 and self._is_whole(made)

        for left in self._first:
            others = [name for name in self._first if name != left]
            if others and runs(others):
                return others
        able: list[str] = []
        for name in self._first:
            if runs([*able, name]):
                able.append(name)
        return able

    def _fills(self, sizes: dict[str, int]) -> bool:
        """Whether what is there to be filled is, with these sizes: else they are none that the entry is made for."""
        filled = self._probe.filled
        if not filled:
            return True
        self._probe.unwritten = set(filled)
        written = self._run(self._entry, sizes).written
        self._probe.unwritten = set()
        tensors = self._entry.tensors()
        return all(written.get(each) == shape_in(tensors[each].tensor, sizes) for each in filled)

    def _sizes_run(self, sizes: dict[str, int]) -> bool:
        """Whether the entry runs with sizes; what came of it is noted."""
        if not self._fills(sizes):
            return False
        made = self._run(self._entry, sizes)
        if made.stage == 3 and self._is_whole(made):
            self._sized.append((sizes, made))
            return True
        return False

    def _is_whole(self, made: Attempt) -> bool:
        """Whether what comes back is written as far as it was with the first sizes: else the entry is not made for
        these, or it leaves out a rest, which is said.
        """
        return made.left == 0 or self._made.left > 0

    def _fits(self, name: str, sizes: dict[str, int]) -> bool:
        tensors = [choice.tensor for choice in self._entry.tensors().values()]
        last = {each.dims[-1] for each in tensors if len(each.dims) > 2}
        is_row = all(len(each.dims) < 2 for each in tensors)
        most = USUAL.most(name) or _MOST.get(name, _LONGEST if is_row else _LARGEST)
        most = 128 if name in last else most
        counts = [math.prod(shape_in(tensor, sizes)) for tensor in tensors]
        is_allowed = self._entry.rules.allow(name, sizes[name])
        return is_allowed and sizes[name] <= most and max(counts, default=0) <= _MOST_ELEMENTS

    def _odd(self) -> dict[str, int] | None:
        """Sizes that are no multiples of a block, of as many of the sizes as run with them."""
        odd = odd_sizes(self._first, self._entry.rules)
        if not odd:
            return None
        if self._dry(self._entry, odd).stage == 3 and self._sizes_run(odd):
            return odd
        sizes, told, ran = dict(self._first), [], None
        for name in odd:
            if self._probe.late:
                break
            one = {**sizes, name: odd[name]}
            made = self._dry(self._entry, one)
            made = self._run(self._entry, one) if made.stage == 3 else made
            if made.stage == 3 and self._is_whole(made):
                sizes, ran = one, made
                continue
            rest = "%d elements of its results are not written" % made.left
            why = rest if made.stage == 3 else made.problem[:200]
            told.append("%s=%d: %s" % (name, odd[name], why))
        if told:
            self._unknowns.append({"path": "shapes", "sentence": _ODD_SENTENCE % "; ".join(told)})
        if ran is not None:
            self._sized.append((sizes, ran))
        return sizes if sizes != self._first else None

    def _note_guesses(self) -> None:
        for parameter in self._entry.parameters:
            choice = parameter.choice
            if choice is None or choice.origin != "guessed":
                continue
            if choice.tensor is None:
                sentence = "what %s is; the call ran with %s." % (parameter.name, choice.text)
            else:
                dims = ", ".join(str(each) for each in choice.tensor.dims)
                sentence = "the shape and dtype of %s; the call ran without a fault with [%s] of %s." % (
                    parameter.name,
                    dims,
                    choice.tensor.dtype,
                )
            self._unknowns.append({"path": "entry.call", "sentence": sentence})
