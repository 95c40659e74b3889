import type { LaunchFigure } from "../../../../server/core/timing/pictures/figure";
import type { MemoryLevel, OperationKind } from "../../../../server/core/timing/pictures/ceilings";
import type { ComparedFigure } from "../../../../server/protocol/performance-views";
import { comparableTime } from "./bars";
import { type LogAxis, logAxis, placeOn, type Tick, ticksOf } from "./log-axis";

/** What the vertical axis counts: floating-point operations, or instructions of warps. */
export type Work = "operations" | "instructions";

/** Size of the picture and its edges, in its own units. */
export const rooflineSize = { width: 900, height: 430, left: 92, right: 20, top: 16, bottom: 46 } as const;

type Role = ComparedFigure["role"];

/** A straight ceiling; its label stands at a point of it, turned by an angle in degrees. */
export interface Ceiling {
  readonly role: Role;
  readonly name: MemoryLevel | OperationKind | "issue";
  /** Bytes or work a nanosecond. */
  readonly rate: number;
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly label: { readonly x: number; readonly y: number; readonly turned: number };
}

/** A launch at one level of memory. */
export interface RooflinePoint {
  readonly role: Role;
  readonly level: MemoryLevel;
  readonly launch: LaunchFigure;
  readonly x: number;
  readonly y: number;
  /** Work for each byte that moves at the level. */
  readonly intensity: number;
  /** Work a nanosecond. */
  readonly rate: number;
  /** Of what the level and the highest roof that is drawn allow at this intensity. */
  readonly reached: number;
}

export interface Roofline {
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly ceilings: readonly Ceiling[];
  readonly points: readonly RooflinePoint[];
}

/** The nearest last: it is drawn over the others. */
const levels: readonly MemoryLevel[] = ["dram", "l2", "shared"];

/** What a launch does of the chosen work. */
export function workOf(launch: LaunchFigure, work: Work): number {
  if (work === "instructions") return launch.instructions;
  return Object.values(launch.operations).reduce((sum, count) => sum + count, 0);
}

/** Floating-point operations where there are any; a kernel that only moves data is drawn by instructions. */
export function usualWork(figures: readonly ComparedFigure[]): Work {
  const hasOperations = figures.some(({ launches }) =>
    launches.some((launch) => workOf(launch, "operations") > 0),
  );
  return hasOperations ? "operations" : "instructions";
}

/** A point before it has a place. */
type Measure = Omit<RooflinePoint, "x" | "y">;

/** Slopes, roofs and points of all figures on common axes. Figures on one GPU share its ceilings. */
export function rooflineOf(figures: readonly ComparedFigure[], work: Work): Roofline {
  const roofs = figures.map((figure) => roofsOf(figure, figures, work));
  const time = comparableTime(figures);
  const measures = figures.flatMap((figure, index) =>
    measuresOf(figure, {
      work,
      roof: Math.max(...(roofs[index] ?? []).map(({ rate }) => rate)),
      // By the bound alone every point would lie on a roof.
      longer: figure.nanoseconds > 0 ? time(figure) / figure.nanoseconds : 1,
    }),
  );
  const shown = shownLevels(figures);
  const drawn = figures
    .map((figure, index) => ({ figure, roofs: roofs[index] ?? [] }))
    .filter(({ figure }, index) => figures.findIndex(({ gpu }) => gpu === figure.gpu) === index);
  const ridges = drawn.flatMap(({ figure, roofs: all }) =>
    all.flatMap(({ rate }) => shown.map((level) => rate / figure.ceilings.memory[level])),
  );
  const { left, right, top, bottom, width, height } = rooflineSize;
  const x = logAxis([...ridges, ...measures.map(({ intensity }) => intensity)], left, width - right);
  const rates = [
    ...measures.map(({ rate }) => rate),
    ...drawn.flatMap((each) => each.roofs).map((r) => r.rate),
  ];
  const y = logAxis(rates, height - bottom, top);
  return {
    xTicks: ticksOf(x),
    yTicks: ticksOf(y),
    ceilings: drawn.flatMap(({ figure, roofs: all }, index) =>
      ceilingLines(figure, { roofs: all, shown, x, y, index }),
    ),
    points: measures.map((measure) => ({
      ...measure,
      x: placeOn(x, measure.intensity),
      y: placeOn(y, measure.rate),
    })),
  };
}

interface Roof {
  readonly name: OperationKind | "issue";
  readonly rate: number;
}

/** The roofs of what any launch does, and single precision in any case; the highest first. */
function roofsOf(
  { ceilings }: ComparedFigure,
  figures: readonly ComparedFigure[],
  work: Work,
): readonly Roof[] {
  if (work === "instructions") return [{ name: "issue", rate: ceilings.instructions }];
  const launches = figures.flatMap((figure) => figure.launches);
  return (Object.keys(ceilings.operations) as OperationKind[])
    .filter((kind) => kind === "fp32" || launches.some(({ operations }) => operations[kind] > 0))
    .map((kind) => ({ name: kind, rate: ceilings.operations[kind] }))
    .sort((a, b) => b.rate - a.rate);
}

function shownLevels(figures: readonly ComparedFigure[]): readonly MemoryLevel[] {
  const launches = figures.flatMap((figure) => figure.launches);
  return levels.filter((level) => level === "dram" || launches.some(({ bytes }) => bytes[level] > 0));
}

interface Measuring {
  readonly work: Work;
  /** Rate of the highest roof. */
  readonly roof: number;
  /** By how much launches take longer than their bounds. */
  readonly longer: number;
}

function measuresOf(
  { role, ceilings, launches }: ComparedFigure,
  { work, roof, longer }: Measuring,
): readonly Measure[] {
  return launches.flatMap((launch) =>
    levels
      .filter((level) => launch.bytes[level] > 0 && launch.nanoseconds > 0 && workOf(launch, work) > 0)
      .map((level): Measure => {
        const rate = workOf(launch, work) / (launch.nanoseconds * longer);
        const intensity = workOf(launch, work) / launch.bytes[level];
        const allowed = Math.min(roof, intensity * ceilings.memory[level]);
        return { role, level, launch, intensity, rate, reached: rate / allowed };
      }),
  );
}

interface CeilingRoom {
  readonly roofs: readonly Roof[];
  readonly shown: readonly MemoryLevel[];
  readonly x: LogAxis;
  readonly y: LogAxis;
  /** Of the GPU: labels of a second one stand elsewhere. */
  readonly index: number;
}

/** Slopes end at the highest roof; a roof begins where the steepest slope reaches it. */
function ceilingLines({ role, ceilings }: ComparedFigure, room: CeilingRoom): readonly Ceiling[] {
  const { roofs, shown, x, y, index } = room;
  const [leastX, mostX, leastY] = [10 ** x.from, 10 ** x.to, 10 ** y.from];
  const highest = Math.max(...roofs.map(({ rate }) => rate));
  const fastest = Math.max(...shown.map((level) => ceilings.memory[level]));
  const place = (at: number, rate: number): readonly [number, number] => [placeOn(x, at), placeOn(y, rate)];
  const rise = Math.abs(y.end - y.start) / (y.to - y.from) / ((x.end - x.start) / (x.to - x.from));
  const turned = (-Math.atan(rise) * 180) / Math.PI;
  const slopes = shown.map((name): Ceiling => {
    const rate = ceilings.memory[name];
    const begins = Math.max(leastX, leastY / rate);
    const ends = highest / rate;
    // On a logarithmic axis: a part of the way.
    const at = begins * (ends / begins) ** (index === 0 ? 0.3 : 0.62);
    const [labelX, labelY] = place(at, at * rate);
    return {
      ...{ role, name, rate },
      from: place(begins, begins * rate),
      to: place(ends, highest),
      label: { x: labelX, y: labelY, turned },
    };
  });
  const flat = roofs.map(({ name, rate }): Ceiling => {
    const to = place(mostX, rate);
    return {
      ...{ role, name, rate, to },
      from: place(rate / fastest, rate),
      label: { x: to[0] - index * 190, y: to[1], turned: 0 },
    };
  });
  return [...slopes, ...flat];
}
