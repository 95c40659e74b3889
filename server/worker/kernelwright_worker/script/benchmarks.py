"""Times of a program on the virtual GPU: the modelled bound of its launches, said so, never a measurement."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import triton.testing
from triton import knobs
from triton.runtime.autotuner import Autotuner, Config

from ..absent import plain_tables
from . import reports
from .driver import KernelRefused
from .pace import SECONDS, Pace

if TYPE_CHECKING:
    import torch

    from .driver import ScriptDriver


def note(text: str) -> None:
    """One line for the person in front of the program."""
    sys.stderr.write("kernelwright: %s\n" % text)


def nanoseconds_in_words(nanoseconds: float) -> str:
    """Three significant digits and a unit: `12.4 µs`."""
    for scale, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if nanoseconds >= scale:
            return "%.3g %s" % (nanoseconds / scale, unit)
    return "%.3g ns" % nanoseconds


def configuration_in_words(configuration: Config) -> str:
    """What was set: `BLOCK=128 num_warps=4 num_stages=3`."""
    usual = {"num_ctas": 1, "maxnreg": None, "ir_override": None}
    return " ".join(
        "%s=%s" % each
        for each in configuration.all_kwargs().items()
        if each[0] not in usual or each[1] != usual[each[0]]
    )


class Benchmarks:
    """What stands for Triton's benchmarks: each runs its function once, counted, and gives the modelled bound
    of its launches.
    """

    def __init__(self, driver: ScriptDriver, pace: Pace) -> None:
        self._driver = driver
        self._pace = pace
        #: Configurations that the autotuner has ranked in its present run, and those that were left out.
        self._ranked = 0
        self._left_out = 0
        self._said = set()
        #: Nanoseconds that benchmarks within the present one have modelled: the autotuner's are not the
        #: function's.
        self._within = 0.0
        #: How many functions were given a modelled time.
        self.modelled = 0

    def say_once(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            note(text)

    def nanoseconds(self, function: Callable[[], object]) -> float:
        """Modelled nanoseconds of the launches that `function` makes; NaN when it makes none."""
        driver = self._driver
        self.modelled += 1
        outside, self._within = self._within, 0.0
        with driver.benchmarking():
            launched, before = driver.launched, driver.modelled()
            sampled = driver.sampled
            try:
                function()
            finally:
                spent = driver.modelled() - before
                inner, self._within = self._within, outside + spent
        if driver.sampled > sampled:
            self.say_once(
                "of long launches a sample of blocks is counted while benchmarks run, "
                "and what they write is dropped"
            )
        return float(spent - inner) if driver.launched > launched else math.nan

    def rank(
        self, function: Callable[[], object], quantiles: list[float] | None = None, **_: object
    ) -> list[float] | float:
        """For the autotuner: milliseconds. A configuration that the virtual GPU cannot run counts as the
        slowest, and so does one for which there is no time.
        """
        if self._ranked > 0 and (self._pace.is_late or self._pace.has_compared_enough):
            self._left_out += 1
            return [math.inf] * len(quantiles) if quantiles else math.inf
        try:
            with self._pace.compares():
                spent = self.nanoseconds(function) / 1e6
            self._ranked += 1
        except KernelRefused as error:
            note("a configuration is left out: %s" % error)
            spent = math.inf
        return [spent] * len(quantiles) if quantiles else spent

    def begin_choice(self) -> None:
        """The autotuner begins to rank configurations."""
        self._ranked = self._left_out = 0

    def in_order(self, tuner: Autotuner, configurations: list[Config]) -> list[Config]:
        """Configurations as they are ranked: once there is no time to compare them, the one first that the
        kernel was given last.
        """
        if not self._pace.has_compared_enough:
            return configurations
        last = next(reversed(tuner.cache.values()), None)
        return sorted(configurations, key=lambda each: each is not last)

    def do_bench(
        self,
        fn: Callable,
        warmup: float = 25,
        rep: float = 100,
        grad_to_none: list[torch.Tensor] | None = None,
        quantiles: list[float] | None = None,
        return_mode: str = "mean",
    ) -> float | list[float]:
        """Stands for triton.testing.do_bench and its variants, with their parameters. Gives milliseconds, NaN
        without a launch.
        """
        assert return_mode in ("min", "max", "mean", "median", "all")
        for tensor in grad_to_none or ():
            tensor.grad = None
        self.say_once("do_bench gives the modelled bound of the Triton launches, not a measurement")
        spent = self.nanoseconds(fn) / 1e6
        if math.isnan(spent):
            self.say_once("do_bench gives nan for what makes no Triton launch: there is nothing to model")
        if quantiles is not None:
            return spent if len(quantiles) == 1 else [spent] * len(quantiles)
        return [spent] if return_mode == "all" else spent

    def choice(
        self, fn: Callable, best_config: Config, configs_timings: dict, cache_hit: bool, **_: object
    ) -> None:
        """Told by the autotuner what it took."""
        taken = "autotune of %s took %s" % (fn.__name__, configuration_in_words(best_config))
        if cache_hit:
            note("%s, from the results that Triton keeps on disk" % taken)
            return
        times = {
            each: (found[0] if isinstance(found, (list, tuple)) else found) * 1e6
            for each, found in configs_timings.items()
        }
        tried = len(times) - self._left_out
        failed = sum(not math.isfinite(time) for time in times.values()) - self._left_out
        if self._left_out > 0 and self._pace.has_compared_enough:
            self.say_once(
                "autotune has compared configurations for %.0f s: from here on a kernel keeps the one that it "
                "was given before, or takes the first that can run; --report-seconds 0 compares all"
                % self._pace.comparing
            )
            return
        if failed == tried:
            note("autotune of %s found no configuration that can run, of %d" % (fn.__name__, failed))
            return
        which = "%d configurations%s" % (tried, ", %d of which cannot run" % failed if failed else "")
        note(
            "%s: %s, the least of %s (modelled, not measured)"
            % (taken, nanoseconds_in_words(times[best_config]), which)
        )
        if self._left_out > 0:
            note(
                "autotune of %s: %d more configurations are left out, as the report has used up its time; "
                "--report-seconds 0 tries all" % (fn.__name__, self._left_out)
            )


def install(driver: ScriptDriver) -> Benchmarks:
    """Puts the modelled bound where Triton measures."""
    pace = Pace(float(os.environ.get(SECONDS, "0")), note)
    benchmarks = Benchmarks(driver, pace)
    driver.benchmarker = benchmarks.rank
    for name in ("do_bench", "do_bench_cudagraph", "do_bench_proton", "do_bench_cudagraph_proton"):
        if hasattr(triton.testing, name):
            setattr(triton.testing, name, benchmarks.do_bench)
    reports.install(benchmarks.say_once, pace)
    plain_tables.install(benchmarks.say_once)
    run = Autotuner.run

    def run_and_tell(tuner: Autotuner, *arguments: Any, **named: Any) -> object:
        # Triton 3.6 and earlier have no listener, and call none.
        theirs = getattr(knobs.autotuning, "listener", None)
        before = benchmarks.modelled

        def tell(**choice: Any) -> None:
            # A program may bring its own benchmark; what that one found is no affair of ours.
            if benchmarks.modelled > before or choice["cache_hit"]:
                benchmarks.choice(**choice)
            if theirs is not None:
                theirs(**choice)

        knobs.autotuning.listener = tell
        benchmarks.begin_choice()
        try:
            return run(tuner, *arguments, **named)
        finally:
            knobs.autotuning.listener = theirs

    prune = Autotuner.prune_configs
    Autotuner.prune_configs = lambda tuner, *arguments, **named: benchmarks.in_order(
        tuner, prune(tuner, *arguments, **named)
    )
    Autotuner.run = run_and_tell
    return benchmarks
