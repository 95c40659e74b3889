import * as z from "zod/mini";
import { jsonFault } from "../base/json";
import { type Outcome, fail, succeed } from "../base/outcome";
import { readShape } from "../base/shape";
import type { CsvProblem } from "./csv";
import { type Figures, FigureSum } from "./metric-map";

/** Launches that belong together. */
export interface LaunchTimes {
  readonly launches: number;
  /** Of all of them. */
  readonly nanoseconds: number;
}

/** A kernel of a profile with all of its launches, and with their samples where Proton took some. */
interface ProtonKernel extends LaunchTimes, Figures {
  readonly kernel: string;
}

/** A line of a kernel's source by the samples that fell on its machine code. */
interface ProtonLine extends Figures {
  readonly kernel: string;
  readonly file: string;
  /** One-based. */
  readonly line: number;
}

/** A line of Python from which kernels were launched. */
interface LaunchingLine extends LaunchTimes {
  readonly file: string;
  /** One-based. */
  readonly line: number;
}

/** What Proton, Triton's profiler, wrote of a run. */
export interface ProtonReport {
  /** `sm_90`; empty where the file does not say. */
  readonly device: string;
  readonly kernels: readonly ProtonKernel[];
  readonly lines: readonly ProtonLine[];
  readonly launchedFrom: readonly LaunchingLine[];
}

/** A node of Proton's tree: a scope, a frame of Python, a kernel, or a line of a kernel. */
interface ProtonNode {
  readonly frame: { readonly name: string };
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly children: readonly ProtonNode[];
}

const nodeShape: z.ZodMiniType<ProtonNode> = z.looseObject({
  frame: z.looseObject({ name: z.string() }),
  metrics: z.record(z.string(), z.unknown()),
  children: z.array(z.lazy(() => nodeShape)),
});
const deviceShape = z.looseObject({ arch: z.string() });
const timeMetric = "time (ns)";
const countMetric = "count";
const samplesMetric = "num_samples";

/** Whether a text is a profile of Proton's, of the format hatchet. */
export function isProtonOutput(text: string): boolean {
  return /^\s*\[\s*\{/.test(text) && text.includes('"frame"');
}

/** Reads a profile of Proton's. The problem says which part of the JSON is not what belongs there. */
export function readProtonReport(text: string): Outcome<ProtonReport, CsvProblem> {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const [root, ...others] = parsed.value;
  const read = readShape(nodeShape, root);
  if (!read.ok) return fail({ line: 1, text: `the tree of Proton: ${read.problem}` });
  const sums = new ProtonSums();
  sums.take(read.value, { kernel: "" });
  return succeed({ device: others.map(deviceOf).find((name) => name !== "") ?? "", ...sums.report });
}

function parse(text: string): Outcome<readonly unknown[], CsvProblem> {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return succeed(value as readonly unknown[]);
    return fail({ line: 1, text: "expected a list, as Proton writes it" });
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return fail({ line: 1, text: `a profile of Proton's that is no JSON: ${jsonFault(thrown)}` });
  }
}

/** Behind the tree stand the devices, by their kind and number. */
function deviceOf(other: unknown): string {
  if (typeof other !== "object" || other === null) return "";
  for (const devices of Object.values(other))
    for (const device of Object.values((devices ?? {}) as Readonly<Record<string, unknown>>)) {
      const read = readShape(deviceShape, device);
      if (read.ok) return /^\d+$/.test(read.value.arch) ? `sm_${read.value.arch}` : read.value.arch;
    }
  return "";
}

/** What stands above a node. */
interface Above {
  /** Empty above all kernels. */
  readonly kernel: string;
  /** The innermost line of Python. */
  readonly from?: Place;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

type LaunchSum = { -readonly [Key in keyof LaunchTimes]: LaunchTimes[Key] };
/** Adds the nodes of a tree up by kernel and by line. */
class ProtonSums {
  private readonly kernels = new Map<string, LaunchSum & { readonly sum: FigureSum }>();
  private readonly sampled = new Map<
    string,
    { readonly head: Omit<ProtonLine, keyof Figures>; readonly sum: FigureSum }
  >();
  private readonly launching = new Map<string, LaunchSum & { readonly place: Place }>();

  take({ frame, metrics, children }: ProtonNode, above: Above): void {
    const place = placeOf(frame.name);
    const isSampled = (numberIn(metrics, samplesMetric) ?? 0) > 0;
    if (place !== undefined && isSampled) this.addLine({ kernel: above.kernel, ...place }, metrics);
    if (place === undefined && (numberIn(metrics, countMetric) ?? 0) > 0)
      this.addLaunches(frame.name, above.from, metrics);
    const below = { ...above };
    // Scopes and the root have names too; of those above a line the last one is its kernel.
    if (place === undefined) below.kernel = frame.name;
    else if (!ownFrames.test(place.file)) below.from = place;
    for (const child of children) this.take(child, below);
  }

  get report(): Omit<ProtonReport, "device"> {
    return {
      kernels: [...this.kernels].map(([kernel, { sum, ...times }]) => ({ kernel, ...times, ...sum.figures })),
      lines: [...this.sampled.values()].map(({ head, sum }) => ({ ...head, ...sum.figures })),
      launchedFrom: [...this.launching.values()].map(({ place, ...times }) => ({ ...place, ...times })),
    };
  }

  private addLine(head: Omit<ProtonLine, keyof Figures>, metrics: ProtonNode["metrics"]): void {
    const key = JSON.stringify(head);
    addFigures(entryOf(this.sampled, key, () => ({ head, sum: new FigureSum() })).sum, metrics);
  }

  private addLaunches(kernel: string, from: Place | undefined, metrics: ProtonNode["metrics"]): void {
    const none = { launches: 0, nanoseconds: 0 };
    const ofKernel = entryOf(this.kernels, kernel, () => ({ ...none, sum: new FigureSum() }));
    addFigures(ofKernel.sum, metrics);
    const key = JSON.stringify(from);
    const ofLine = from && entryOf(this.launching, key, () => ({ place: from, ...none }));
    for (const sum of ofLine === undefined ? [ofKernel] : [ofKernel, ofLine]) {
      sum.launches += numberIn(metrics, countMetric) ?? 0;
      sum.nanoseconds += numberIn(metrics, timeMetric) ?? 0;
    }
  }
}

/** Frames of Triton and torch stand between a launch and the line that asked for it. */
const ownFrames = /[/\\](site|dist)-packages[/\\](triton|torch)[/\\]/;

function addFigures(sum: FigureSum, metrics: ProtonNode["metrics"]): void {
  for (const [name, value] of Object.entries(metrics))
    if (typeof value === "number") sum.add({ name, unit: "", value }, true);
}

/** `FILE:LINE@FUNCTION`, as Proton names lines of kernels and frames of Python. */
function placeOf(name: string): Place | undefined {
  const [, file, line] = /^(.+):(\d+)@/.exec(name) ?? [];
  return file === undefined ? undefined : { file, line: Number(line) };
}

function numberIn(metrics: ProtonNode["metrics"], name: string): number | undefined {
  const value = metrics[name];
  return typeof value === "number" ? value : undefined;
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
