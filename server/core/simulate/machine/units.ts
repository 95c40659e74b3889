import { known } from "../../base/known";
import type { PlacedInstruction } from "../../cubin/index";
import type { ArchitectureTiming } from "../../timing/gpu-timing";
import table from "./units.json";

/** Units of a sub-core that an instruction may have to wait for; memory has its own. */
export const units = ["fma", "heavy", "alu", "fp64", "special", "uniform", "exchange", "tensor"] as const;
export type Unit = (typeof units)[number];

/** Clocks of one unit, by its place in `units`. */
interface UnitClocks {
  readonly unit: number;
  readonly clocks: number;
}

/** Clocks of a unit by its name. */
export function clocksOf(unit: Unit, clocks: number): UnitClocks {
  return { unit: units.indexOf(unit), clocks };
}

/** What an instruction without memory occupies, and when its result is there. */
export interface UnitUse {
  /** Clocks of each unit of the sub-core that it keeps busy. */
  readonly busy: readonly UnitClocks[];
  /** Clocks until its scoreboard is released. */
  readonly latency: number;
}

interface Row {
  readonly unit: string;
  readonly rate: string;
  readonly latency: string;
}

const byName: Readonly<Record<string, Row>> = table.names;
const byClass: Readonly<Record<string, Row>> = table.classes;
const subCores = 4;
const lanes = 32;
/** Halves that one lane of an instruction works on; their rate counts them one by one. */
const halvesOfLane = 2;

function isUnit(text: string): text is Unit {
  return (units as readonly string[]).includes(text);
}

/** Sub-core clocks of an instruction on a unit with so many lanes a clock of the whole multiprocessor. */
function clocksAt(lanesPerClock: number): number {
  return (lanes * subCores) / lanesPerClock;
}

/** What an instruction occupies on an architecture (`8.6`). */
export function unitUseOf(
  { operation }: PlacedInstruction,
  timing: ArchitectureTiming,
  capability: string,
): UnitUse {
  const row = known(byName[operation.name] ?? byClass[operation.class] ?? byClass["unknown"], "a row");
  const figure = (figures: ReadonlyMap<string, number>, key: string): number =>
    known(figures.get(key), `figure ${key} of gpu-timing.json`);
  const latency = figure(new Map(Object.entries(timing.latency)), row.latency);
  if (!isUnit(row.unit)) return { busy: [], latency };
  const clocks = clocksAt(
    figure(new Map(Object.entries({ ...timing.rates })), row.rate) *
      (operation.class === "fp16" ? halvesOfLane : 1),
  );
  return { busy: busyUnits(row.unit, clocks, { timing, capability }), latency };
}

/**
 * Where single precision has twice the lanes of integers, half of these lanes are those that multiply
 * integers; on some architectures that half does all of the integer work.
 */
function busyUnits(
  unit: Unit,
  clocks: number,
  on: { readonly timing: ArchitectureTiming; readonly capability: string },
): UnitUse["busy"] {
  const whole = clocksAt(on.timing.rates.fp32);
  if (unit === "fma" && clocks > whole) return [clocksOf("fma", whole), clocksOf("heavy", clocks)];
  if (unit === "alu" && table.sharedLanes.includes(on.capability))
    return [clocksOf("alu", clocks), clocksOf("fma", clocks / 2)];
  return [clocksOf(unit, clocks)];
}
