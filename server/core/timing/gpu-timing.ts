import { at, known, last } from "../base/known";
import { type PipeRates, capabilityOf, limitsOf } from "./gpu-model";
import table from "./gpu-timing.json";

// The row that every other one is like, directly or not, has a figure of each name.
type WholeRow = (typeof table.architectures)["8.0"];
type Figures<Group extends keyof WholeRow> = Readonly<Record<keyof WholeRow[Group], number>>;

/**
 * Lanes a clock of one multiprocessor, by unit. An instruction of a warp takes 32 / rate clocks of its unit.
 */
type UnitRates = PipeRates & Figures<"rates">;

/**
 * What a simulation of one multiprocessor has to know of an architecture. Rates are lanes a clock, latencies
 * clocks; gpu-timing.json tells of each figure what it means and who has published it.
 */
export interface ArchitectureTiming {
  readonly rates: UnitRates;
  /** Dense operations a clock of one multiprocessor, by the type of the inputs. */
  readonly tensor: Figures<"tensor">;
  readonly latency: Figures<"latency">;
  readonly memory: Figures<"memory">;
  readonly launch: Figures<"launch">;
}

/** One figure as the table has it. */
interface TimingFigure {
  readonly is: number;
  /** A key of the table's sources; `estimate` where no figure is published. */
  readonly from: string;
  /** What an estimate is taken from, or which of several figures this is. */
  readonly why?: string;
}

type GroupName = keyof ArchitectureTiming;
type FigureGroup = Readonly<Record<string, TimingFigure>>;
type TimingRow = Readonly<Partial<Record<GroupName, FigureGroup>>> & {
  /** The architecture whose figures hold where the row has none. */
  readonly like?: string;
};

const groupNames: readonly GroupName[] = ["rates", "tensor", "latency", "memory", "launch"];
const rows: Readonly<Record<string, TimingRow>> = table.architectures;

/** Title and place of each source, by the key that figures name. */
export const timingSources: Readonly<Record<string, { readonly title: string; readonly at: string }>> =
  table.sources;

/** What each figure means, by `latency.memory` and the like. */
export const timingMeanings: Readonly<Record<string, string>> = table.meaning;

/** Capabilities that have a row, from the lowest up. */
export const timedCapabilities: readonly string[] = Object.keys(rows).toSorted(
  (a, b) => Number(a) - Number(b),
);

/**
 * Figures of one capability (`8.0`) with their sources, by `latency.memory` and the like, with those of the
 * row that it is like.
 */
export function timingFigures(capability: string): ReadonlyMap<string, TimingFigure> {
  const row = known(rows[capability], `row of gpu-timing.json for capability ${capability}`);
  const figures = new Map(row.like === undefined ? [] : timingFigures(row.like));
  for (const group of groupNames)
    for (const [name, figure] of Object.entries(row[group] ?? {})) figures.set(`${group}.${name}`, figure);
  return figures;
}

/** Timing of an architecture such as `sm_80`; one without a row has that of the nearest lower one. */
export function timingOf(architecture: string): ArchitectureTiming {
  const wanted = Number(capabilityOf(architecture));
  const lower = timedCapabilities.filter((each) => Number(each) <= wanted);
  const figures = timingFigures(lower.length > 0 ? last(lower) : at(timedCapabilities, 0));
  const group = <Name extends GroupName>(name: Name): ArchitectureTiming[Name] =>
    Object.fromEntries(
      [...figures]
        .filter(([key]) => key.startsWith(`${name}.`))
        .map(([key, figure]) => [key.slice(name.length + 1), figure.is]),
    ) as unknown as ArchitectureTiming[Name];
  return {
    rates: { ...limitsOf(architecture).rates, ...group("rates") },
    tensor: group("tensor"),
    latency: group("latency"),
    memory: group("memory"),
    launch: group("launch"),
  };
}
