"""The oracle's memory: cases with inputs and expected values, by number."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

import numpy

from .cases import Case, asked, checked
from .comparison import compare, differs, effective_tolerance
from .datatypes import EPSILON, decode, in_precision, is_float, item_size
from ..errors import WorkerError
from .distributions import is_recorded
from .pools import Pools, is_drawn_one_by_one
from .inputs import (
    VARIANTS,
    Wanted,
    draw_from,
    from_recording,
    in_another_order,
    make,
    new_generator,
    nudged,
    spread_rows,
)
from .reference import make_reference
from .special import in_range, settled, without_numbers
from .leaning.afar import moved_afar
from .leaning.arranged import ARRANGED, arrange
from .leaning.exacting import CLOSE, EXACTING, make_exacting
from .leeway.means import Means
from .leeway.steadiness import allowance, moved, unsteadiness
from .leaning.selection import are_selected, has_few, is_selection, selected_tolerance
from .trivial import copied_inputs, passing_outputs
from .leeway.unordered import unordered


#: What a tolerance consists of.
_PARTS = ("absolute", "relative")


class Judge:
    """Answers make, pool, draw, vary, nudge, move, bound, steady, loosen, select, expect, judge, trivial and forget for one kernel spec."""

    def __init__(self, params: dict) -> None:
        self._inputs = params["inputs"]
        self._outputs = params["outputs"]
        self._tolerances = params["tolerances"]
        self._reference = make_reference(params["reference"], params.get("files", {}), list(self._outputs))
        self._cases = {}
        self._pools = {}
        self._last = 0
        #: Outputs whose numbers are those of inputs, as far as cases with few values have shown.
        self._selecting = {name for name in self._outputs if self._may_select(name)}
        #: The same once they are to be told exactly.
        self._exact = set()
        self._means = Means()
        draw_from(params.get("seed"))

    def answer(self, method: str, params: dict, frames: list[bytes]) -> tuple[dict, list[bytes]]:
        methods = {
            "make": self._make,
            "pool": self._pool,
            "draw": self._draw,
            "vary": self._vary,
            "nudge": self._nudge,
            "move": self._move,
            "bound": self._bound,
            "steady": self._steady,
            "loosen": self._loosen,
            "select": self._select,
            "expect": self._expect,
            "judge": self._judge,
            "trivial": self._trivial,
            "forget": self._forget,
        }
        if method not in methods:
            raise WorkerError("worker-protocol", "the oracle has no method %r" % (method,))
        return methods[method](params, frames)

    def _make(self, params: dict, frames: list[bytes]) -> tuple[dict, list[bytes]]:
        """params: sizes, shapes (name → list of sizes, inputs and outputs), variant, distributions (name →
        word or object whose bounds are numbers). Frames: contents of the inputs whose distribution is
        `recorded`, in the order of the spec; as answer the inputs in that order.
        """
        if params["variant"] not in VARIANTS:
            raise WorkerError("worker-protocol", "no variant %r" % (params["variant"],))
        recorded = iter(frames)
        values = {}
        for name, tensor in self._inputs.items():
            wanted = Wanted(tensor["dtype"], params["shapes"][name], params["variant"])
            distribution = params["distributions"][name]
            if is_recorded(distribution):
                values[name] = from_recording(
                    wanted, _taken(recorded, name, wanted), distribution.get("within")
                )
            else:
                values[name] = make(wanted, distribution)
        dtypes = {name: tensor["dtype"] for name, tensor in self._inputs.items()}
        if params["variant"] == "extreme":
            spread_rows(values, dtypes, params["distributions"])
        if params["variant"] == ARRANGED:
            arrange(new_generator(), values, dtypes, params["distributions"])
        if params["variant"] in EXACTING:
            make_exacting(new_generator(), values, dtypes, params["distributions"], params["variant"])
        if params["variant"] == "far-from-zero":
            afar = moved_afar(new_generator(), values, dtypes, params["distributions"])
            params = {**params, "afar": afar}
        return self._keep(Case(params, values, self._inputs))

    def _pool(self, params: dict, _: list[bytes]) -> tuple[dict, list[bytes]]:
        """What the inputs of timed calls of a shape are drawn from; none where an input cannot be drawn so."""
        if not all(is_drawn_one_by_one(each) for each in params["distributions"].values()):
            return {"pools": 0, "masks": {}}, []
        pools = Pools(params, self._inputs)
        self._last += 1
        self._pools[self._last] = pools
        return {"pools": self._last, "masks": pools.masks}, [pools.contents[name] for name in self._inputs]

    def _draw(self, params: dict, _: list[bytes]) -> tuple[dict, list[bytes]]:
        """The inputs that seeds draw from pools, as a case; nobody needs them sent."""
        pools = self._pools.get(params.get("pools"))
        if pools is None:
            raise WorkerError("worker-protocol", "no pools %r" % (params.get("pools"),))
        result, _ = self._keep(Case(pools.asked, pools.values(params["seeds"]), self._inputs))
        return result, []

    def _vary(self, params: dict, _: list[bytes]) -> tuple[dict, list[bytes]]:
        """The inputs of a case in another order, as a case of its own."""
        case = self._case(params)
        values = {
            name: in_another_order(value, case.distributions[name]) for name, value in case.values.items()
        }
        return self._keep(Case(asked(case), values, self._inputs))

    def _nudge(self, params: dict, _: list[bytes]) -> tuple[dict, list[bytes]]:
        """The inputs of a case with another value at one place of each that is named, as a case of its own."""
        case = self._case(params)
        values = {
            name: nudged(value, params["turns"]) if name in params["names"] else value
            for name, value in case.values.items()
        }
        return self._keep(Case(asked(case), values, self._inputs))

    def _move(self, params: dict, _: list[bytes]) -> tuple[dict, list[bytes]]:
        """The inputs of a case with other last bits, as a case of its own. `way`: see `moved`."""
        case, way = self._case(params), params["way"]
        generator = new_generator()
        values = {
            name: moved(value, self._inputs[name]["dtype"], way, generator)
            for name, value in case.values.items()
        }
        return self._keep(Case(asked(case), values, self._inputs))

    def _bound(self, params: dict, _: list[bytes]) -> tuple[dict, list[bytes]]:
        """A case with ordinary numbers in place of the infinite ones of inputs that are named."""
        case = self._case(params)
        ordinary = {name: self._ordinary(case, name) for name in params["names"]}
        params = {**asked(case), "variant": case.special}
        return self._keep(Case(params, {**case.values, **ordinary}, self._inputs))

    def _ordinary(self, case: Case, name: str) -> numpy.ndarray:
        value = case.values[name]
        return numpy.where(numpy.isinf(value), new_generator().standard_normal(value.shape), value)

    def _steady(self, params: dict, _: list[bytes]) -> tuple[dict, list[bytes]]:
        """`moved` is a case with the inputs of `case` but for their last bits, and has expected values: how far
        these are from those of `from` (the case itself, or one that the baseline computed in the same way)
        counts when the case is judged from now on, for a few elements or for `each`. One with infinities is compared with the case without
        those of an input.
        """
        case, start, other = self._case(params), self._cases[params["from"]], self._cases[params["moved"]]
        if case.special == "infinite":
            case.unreached = {
                name: numpy.isfinite(expected) & (expected == other.expected[name])
                for name, expected in case.expected.items()
            }
            return {}, []
        known = case.inexact if params.get("each") else case.unsteady
        for name, expected in start.expected.items():
            if not self._tolerances[name]["stated"]:
                known[name] = unsteadiness(known.get(name), expected, other.expected[name])
        return {}, []

    def _loosen(self, params: dict, frames: list[bytes]) -> tuple[dict, list[bytes]]:
        """Frames: the outputs of runs of the baseline, whose blocks started in two orders. Where these differ in
        the order of rows alone, that order is held against nobody from now on.
        """
        case, count = self._case(params), len(self._outputs)
        starts = range(0, len(frames), count)
        first, *others = (self._decoded(case, frames[start : start + count]) for start in starts)
        differing = [
            name
            for name in self._outputs
            if any(differs(name, first[name], each[name], self._tolerance(case, name)) for each in others)
        ]
        if differing:
            kept = [{name: each[name] for name in differing} for each in (first, *others)]
            case.unordered = unordered(kept[0], kept[1:], [int(size) for size in case.sizes.values()])
        return {"outputs": [] if case.unordered is None else list(case.unordered.names)}, []

    def _may_select(self, name: str) -> bool:
        return is_float(self._outputs[name]["dtype"]) and not self._tolerances[name]["stated"]

    def _select(self, params: dict, _: list[bytes]) -> tuple[dict, list[bytes]]:
        """What a case with few values tells of which outputs are made of numbers of inputs. After the `last` one those
        outputs are compared exactly.
        """
        case = self._case(params)
        chosen = [
            value
            for name, value in case.values.items()
            if has_few(self._inputs[name]["dtype"], case.distributions[name])
        ]
        self._selecting = {
            name
            for name in self._selecting
            if is_selection(case.expected[name].astype("f8"), self._outputs[name]["dtype"], chosen)
        }
        if params["last"]:
            self._exact = self._selecting
        return {"outputs": sorted(self._selecting)}, []

    def _keep(self, case: Case) -> tuple[dict, list[bytes]]:
        if self._reference is not None:
            # What special values come to is no accident.
            with numpy.errstate(all="ignore" if case.special is not None else "warn"):
                self._expect_reference(case)
        self._last += 1
        self._cases[self._last] = case
        return {"case": self._last}, [case.encoded[name] for name in self._inputs]

    def _expect_reference(self, case: Case) -> None:
        case.expected = checked(self._reference(dict(case.values), case.sizes, list(self._outputs)), case)
        lowered = {
            name: in_precision(value, self._inputs[name]["dtype"]) for name, value in case.values.items()
        }
        case.declared = self._reference(lowered, case.sizes, list(self._outputs))
        if case.special is not None:
            case.expected = {name: self._in_range(name, value) for name, value in case.expected.items()}
        self._means.learn(case)

    def _in_range(self, name: str, value: numpy.ndarray) -> numpy.ndarray:
        dtype = self._outputs[name]["dtype"]
        return in_range(value, dtype) if value.dtype.kind == "f" and is_float(dtype) else value

    def _expect(self, params: dict, frames: list[bytes]) -> tuple[dict, list[bytes]]:
        """Outputs of the baseline become the expected values of a case (reference `baseline`). Behind them may
        stand those of a run whose sums were rounded as it went: nothing is held to be closer than these.
        """
        case = self._case(params)
        count = len(self._outputs)
        case.expected = self._decoded(case, frames[:count])
        case.rounded = self._decoded(case, frames[count:]) if len(frames) > count else None
        case.rough = params.get("least")
        case.tolerances = {}
        self._means.learn(case)
        return {}, []

    def _judge(self, params: dict, frames: list[bytes]) -> tuple[dict, list[bytes]]:
        """Frames: the outputs in the order of the spec. Gives passed, the tolerance of the output that
        decides, the mismatch if any.
        """
        case = self._case(params)
        if case.expected is None:
            raise WorkerError("worker-protocol", "case %r has no expected values" % (params.get("case"),))
        return self._verdict(case, self._decoded(case, frames)), []

    def _verdict(
        self, case: Case, actual: dict[str, numpy.ndarray], look: Callable[..., dict | bool | None] = compare
    ) -> dict:
        """As the values stand, else with the rows whose order says nothing in one of their own. `look`: `compare`, or
        `differs` where nobody reads what is wrong.
        """
        verdict = self._compared(case, (case.expected, actual), look)
        if verdict["passed"] or case.unordered is None:
            return verdict
        expected, arranged = (
            {**values, **case.unordered.arranged(values)} for values in (case.expected, actual)
        )
        again = self._compared(case, (expected, arranged), look, set(case.unordered.names))
        return again if again["passed"] else verdict

    def _compared(
        self,
        case: Case,
        pair: tuple[dict[str, numpy.ndarray], dict[str, numpy.ndarray]],
        look: Callable[..., dict | bool | None],
        arranged: Container[str] = (),
    ) -> dict:
        expected, actual = pair
        used = None
        for name in self._outputs:
            tolerance = self._tolerance(case, name)
            values = actual[name]
            if case.special is not None:
                declared = None if case.declared is None else case.declared[name]
                values = settled(case.special, expected[name], declared, values)
            if name in case.unreached:
                # What a mask keeps out may still be multiplied by zero, which infinity makes no number.
                values = numpy.where(case.unreached[name] & numpy.isnan(values), expected[name], values)
            if case.afar:
                # Nothing is asked where such values leave the range of the type.
                values = numpy.where(numpy.isfinite(expected[name]), values, expected[name])
            if case.declared is None:
                values = without_numbers(expected[name], values, case.is_finite)
            unsteady = None if name in arranged else case.unsteady.get(name)
            allowed = tolerance
            if name in case.inexact and name not in arranged and is_float(self._outputs[name]["dtype"]):
                allowed = (allowance(case.inexact[name], tolerance[0]), tolerance[1])
            mismatch = look(name, expected[name], values, allowed, unsteady)
            used = tolerance if used is None else used
            if mismatch:
                return {
                    "passed": False,
                    "mismatch": mismatch,
                    "tolerance": {"absolute": tolerance[0], "relative": tolerance[1]},
                }
        return {"passed": True, "tolerance": {"absolute": used[0], "relative": used[1]}}

    def _tolerance(self, case: Case, name: str) -> tuple[float, float]:
        if name not in case.tolerances:
            case.tolerances[name] = self._found_tolerance(case, name)
        return case.tolerances[name]

    def _found_tolerance(self, case: Case, name: str) -> tuple[float, float]:
        if name in self._exact and are_selected(case.expected[name], list(case.values.values())):
            return selected_tolerance(self._outputs[name]["dtype"])
        about = {
            "inputs": case.values,
            "declared": None
            if case.declared is None
            else case.declared[name].reshape(case.expected[name].shape),
            "ordinary": case.special is not None,
            "rounded": None if case.rounded is None else case.rounded[name],
            # A function near 1 that is taken from 1 keeps its absolute error, however small the result is.
            "least": 4.0 * EPSILON["float32"] if case.is_small else 0.0,
            "afar": case.afar,
            "mean": name in self._means,
            "close": CLOSE * EPSILON["float32"] if case.is_like else 0.0,
        }
        tolerance = self._tolerances[name]
        if case.rough is not None and not tolerance["stated"]:
            tolerance = {**tolerance, **{each: max(tolerance[each], case.rough[each]) for each in _PARTS}}
        return effective_tolerance(tolerance, self._outputs[name]["dtype"], case.expected[name], about)

    def _decoded(self, case: Case, frames: list[bytes]) -> dict:
        if len(frames) != len(self._outputs):
            raise WorkerError(
                "worker-protocol", "%d outputs came, %d are expected" % (len(frames), len(self._outputs))
            )
        decoded = {}
        for (name, tensor), content in zip(self._outputs.items(), frames):
            wanted = int(numpy.prod(case.shapes[name], dtype="i8")) * item_size(tensor["dtype"])
            if len(content) != wanted:
                raise WorkerError(
                    "worker-protocol",
                    "output %s has %d bytes, %d are expected" % (name, len(content), wanted),
                )
            decoded[name] = decode(content, tensor["dtype"], case.shapes[name])
        return decoded

    def _trivial(self, params: dict, _: list[bytes]) -> tuple[dict, list[bytes]]:
        """Which outputs that compute nothing would pass: `case`, `other` (another seed) and `permuted` are
        cases of one shape; `copies`: an exact copy of an input may be what is computed.
        """
        cases = tuple(self._cases[params[name]] for name in ("case", "other", "permuted"))
        copied = copied_inputs(cases) if params["copies"] else set()
        return {
            "passing": passing_outputs(
                cases,
                lambda outputs: self._verdict(cases[0], outputs, differs)["passed"],
                self._reference is not None,
                copied,
            )
        }, []

    def _forget(self, params: dict, _: list[bytes]) -> tuple[dict, list[bytes]]:
        self._cases.pop(params.get("case"), None)
        self._pools.pop(params.get("case"), None)
        return {}, []

    def _case(self, params: dict) -> Case:
        case = self._cases.get(params.get("case"))
        if case is None:
            raise WorkerError("worker-protocol", "no case %r" % (params.get("case"),))
        return case


def _taken(recorded: Iterator[bytes], name: str, wanted: Wanted) -> numpy.ndarray:
    """The next recorded content, decoded; it has to fit the shape."""
    content = next(recorded, b"")
    size = int(numpy.prod(wanted.shape, dtype="i8")) * item_size(wanted.dtype)
    if len(content) != size:
        raise WorkerError(
            "spec-invalid",
            "the recording of %s has %d bytes, its shape %s needs %d: capture the program again"
            % (name, len(content), wanted.shape, size),
        )
    return decode(content, wanted.dtype, wanted.shape)
