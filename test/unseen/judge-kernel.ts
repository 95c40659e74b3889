import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KernelCounters } from "../../server/core/timing/counters";
import { defaultGpu, modelConstants } from "../../server/core/timing/gpu-model";
import { ruleEntries } from "../../server/core/agent/rulebook/rule-table";
import { startCommand } from "../harness/command-line";
import { type UnseenKernel, unseenFolder } from "./index";

/** After this long a session is ended; the slowest on an idle machine takes a fifth of it. */
const LIMIT_MS = 400_000;

/** Of the causes that are named, so many count: naming all of them is no answer. */
const NAMED = 2;

/** What the rulebook made of one kernel. */
export interface Judged {
  readonly kernel: UnseenKernel;
  readonly removed: boolean;
  /** The modelled bound says so, not the simulated time alone. */
  readonly byBound: boolean;
  readonly named: boolean;
  /** What came of the modelled bound, and of the simulated time where both versions have one. */
  readonly bound: Way;
  readonly simulated?: Way | undefined;
  readonly binding: string;
  /** Rules whose rewrites were accepted. */
  readonly rules: readonly string[];
  readonly causes: readonly string[];
  /** Why rules that saw something to do held back, or why there was no session. */
  readonly why: readonly string[];
  readonly seconds: number;
}

/** How far a kernel has come in one measure of its time. */
export interface Way {
  /** Nanoseconds; 0 where there are none. */
  readonly before: number;
  readonly after: number;
  /** How many times less an expert's version takes. */
  readonly expert: number;
}

/** How many times less the time is. */
export function gainOf({ before, after }: Way): number {
  return after > 0 ? before / after : 1;
}

interface Bound {
  readonly nanoseconds: number;
  readonly simulatedNanoseconds?: number;
  readonly fillsGpu?: boolean;
  readonly binding: string;
}

/** What `optimize --json` prints, as far as it is read here. */
interface Report {
  readonly best?: { readonly id: string };
  readonly counters?: { readonly before: KernelCounters } | null;
  readonly candidates?: readonly {
    readonly id: string;
    readonly accepted: boolean;
    readonly origin: string;
    readonly bound: Bound | null;
  }[];
  readonly causes?: readonly { readonly cause: string }[];
  readonly rules?: readonly { readonly rule: string; readonly because: string; readonly sentence: string }[];
}

const SILENT: readonly string[] = ["no-pattern", "no-evidence"];

export interface JudgeOptions {
  /** Stand for the files of their names. */
  readonly files?: ReadonlyMap<string, string>;
  /** The most rewrites that are tried; 0 tells what is named of the kernel as it is. */
  readonly candidates?: number | undefined;
}

/** Runs `optimize` without a model in a folder of its own. */
export async function judgeKernel(
  kernel: UnseenKernel,
  { files = new Map(), candidates }: JudgeOptions = {},
): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-unseen-"));
  const started = performance.now();
  try {
    const spec = `${kernel.file}.kernel.json`;
    copyFileSync(join(unseenFolder, kernel.file), join(folder, kernel.file));
    if (existsSync(join(unseenFolder, spec))) copyFileSync(join(unseenFolder, spec), join(folder, spec));
    for (const [path, text] of files) writeFileSync(join(folder, path), text);
    const most = candidates === undefined ? [] : ["--candidates", String(candidates)];
    const command = startCommand(["optimize", `${kernel.file}::${kernel.kernel}`, "--json", ...most], {
      folder,
      environment: { XDG_DATA_HOME: join(folder, ".data") },
    });
    const limit = setTimeout(() => {
      command.kill("SIGTERM");
    }, LIMIT_MS);
    const { output, errors } = await command.ended;
    clearTimeout(limit);
    const last = output.trimEnd().split("\n").at(-1) ?? "";
    const report = last.startsWith("{") ? (JSON.parse(last) as Report) : undefined;
    const seconds = Math.round((performance.now() - started) / 1000);
    return report === undefined ? failed(kernel, errors, seconds) : judged(kernel, report, seconds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function failed(kernel: UnseenKernel, errors: string, seconds: number): Judged {
  const nothing = { bound: { before: 0, after: 0, expert: 1 }, binding: "", rules: [], causes: [] };
  const why = [errors.trim().split("\n").slice(-2).join(" | ").slice(0, 300)];
  return { kernel, removed: false, byBound: false, named: false, ...nothing, why, seconds };
}

function judged(kernel: UnseenKernel, report: Report, seconds: number): Judged {
  const { candidates = [], rules = [], causes = [] } = report;
  const boundOf = (id: string | undefined): Bound | null | undefined =>
    candidates.find((candidate) => candidate.id === id)?.bound;
  const [first, last] = [boundOf("baseline"), boundOf(report.best?.id)];
  const floor = floorOf(report.counters?.before);
  const way = (of: (bound: Bound) => number | undefined): Way | undefined => {
    const before = first ? of(first) : undefined;
    const after = last ? of(last) : before;
    if (before === undefined || after === undefined) return undefined;
    return { before, after, expert: kernel.expert ?? Math.max(1, before / floor) };
  };
  const bound = way(({ nanoseconds }) => nanoseconds) ?? { before: 0, after: 0, expert: 1 };
  const simulated = way(({ simulatedNanoseconds, fillsGpu = true }) =>
    fillsGpu ? simulatedNanoseconds : undefined,
  );
  const winners = candidates.filter(({ id, accepted }) => accepted && id !== "baseline");
  const won = winners.map(({ origin }) => origin.replace(/^rulebook:/, ""));
  const names = causes.map(({ cause }) => cause);
  const mended = ruleEntries().some(({ id, cause }) => cause === kernel.inefficiency && won.includes(id));
  const byBound = isRemoved(bound, mended);
  return {
    kernel,
    removed: byBound || (simulated !== undefined && isRemoved(simulated, mended)),
    byBound,
    named: names.slice(0, NAMED).includes(kernel.inefficiency),
    bound,
    simulated,
    binding: first?.binding ?? "",
    rules: won,
    causes: names,
    why: rules.flatMap(({ rule, because, sentence }) =>
      SILENT.includes(because) ? [] : [`${rule}: ${sentence}`],
    ),
    seconds,
  };
}

/**
 * The least that any version takes on sm_80, in nanoseconds: each sector moved once, the operations at the
 * greatest rate, one wait for memory. Infinity where no rewrite won: nothing is removed then.
 */
function floorOf(counters: KernelCounters | undefined): number {
  if (counters === undefined) return Number.POSITIVE_INFINITY;
  const gpu = defaultGpu("sm_80");
  const { loadReuse, storeReuse, fp32Flops, fp16Flops } = counters.totals;
  const bytes = 32 * ((loadReuse?.first ?? 0) + (storeReuse?.first ?? 0));
  // A gigabyte a second is a byte a nanosecond, a teraflop a second 1000 operations.
  return Math.max(
    modelConstants.memoryLatencyNanoseconds,
    bytes / gpu.memoryGigabytesPerSecond,
    (fp32Flops + fp16Flops) / (gpu.floatTeraflops * 1000),
  );
}

/**
 * Half of the way to the expert, as factors; where the waste does not bind, that a rewrite of it won.
 */
function isRemoved(way: Way, mended: boolean): boolean {
  const gain = gainOf(way);
  return way.expert < 1.05 ? mended : gain > 1 && Math.log(gain) >= 0.5 * Math.log(way.expert);
}
