import { retold, t } from "../../base/localized";
import type { ModelledBound } from "../../judge/verdict";
import { termOf } from "../../timing/bound";
import { describeNanoseconds } from "../quantities";
import { describeHostTime } from "./host-words";
import { resourceWords } from "./names";

/** What a simulated launch may spend most of its time on (`limitOf`), where no term has that name. */
const limits: Readonly<Record<string, string>> = {
  fma: "FP32",
  heavy: "multiplying half of FP32",
  alu: "integer and logic",
  uniform: "uniform instructions",
  exchange: "shuffles",
  loadStore: "loads and stores",
  secondLevel: "L2",
  atomics: "atomics at L2",
  fixed: "latency of instructions",
  memory: "latency of memory",
  barrier: "barriers",
  shared: "latency of shared memory and shuffles",
  other: "special units and conversions",
  queue: "the queue of memory instructions",
  unit: "busy units",
};

/** From so many times the bound on, the bound does not say what a simulated time is spent on. */
const farAbove = 2;

/**
 * What most of a simulated time is spent on, for readers; undefined where it is near the bound, whose
 * greatest term explains it then.
 */
export function simulatedLimitWords({
  nanoseconds,
  simulatedNanoseconds,
  simulatedLimit,
}: Pick<ModelledBound, "nanoseconds" | "simulatedNanoseconds" | "simulatedLimit">): string | undefined {
  if (simulatedNanoseconds === undefined || simulatedLimit === undefined) return undefined;
  if (simulatedNanoseconds < farAbove * nanoseconds) return undefined;
  const own = limits[simulatedLimit];
  return own === undefined ? resourceWords(simulatedLimit) : retold(own);
}

/**
 * `simulated time 14 µs on A100, modelled bound 12.4 µs (DRAM)`; the bound alone where nothing was
 * simulated, and no bound where its term of latency, which the simulation knows better, is above that time.
 * The words say that neither was measured. What host code takes stands apart.
 */
export function describeBound(modelled: ModelledBound): string {
  const host = modelled.host && describeHostTime(modelled.host);
  return host === undefined ? describeTimes(modelled) : `${describeTimes(modelled)}; ${host}`;
}

function describeTimes(modelled: ModelledBound): string {
  const { nanoseconds, simulatedNanoseconds, gpu, binding } = modelled;
  const [bound, resource] = [describeNanoseconds(nanoseconds), resourceWords(binding)];
  if (simulatedNanoseconds === undefined) return t`modelled bound ${bound} on ${gpu} (${resource})`;
  const simulated = describeNanoseconds(simulatedNanoseconds);
  const limit = simulatedLimitWords(modelled);
  if (simulatedNanoseconds < nanoseconds) return t`simulated time ${simulated} on ${gpu} (${resource})`;
  const on = limit === undefined ? gpu : `${gpu} (${limit})`;
  return t`simulated time ${simulated} on ${on}, modelled bound ${bound} (${resource})`;
}

/** `2.09 µs → 698 ns`: the simulated times of two versions; undefined unless both were simulated. */
export function describeSimulated(before: ModelledBound, after: ModelledBound): string | undefined {
  const [then, now] = [before.simulatedNanoseconds, after.simulatedNanoseconds];
  if (then === undefined || now === undefined) return undefined;
  return `${describeNanoseconds(then)} → ${describeNanoseconds(now)}`;
}

/**
 * Names of the terms that say something in any of the bounds: a kernel without tensor instructions has no
 * tensor term.
 */
export function termNames(...bounds: readonly ModelledBound[]): readonly string[] {
  return [...new Set(bounds.flatMap(({ terms }) => Object.keys(terms)))].filter((name) =>
    bounds.some((bound) => termOf(bound, name) > 0),
  );
}
