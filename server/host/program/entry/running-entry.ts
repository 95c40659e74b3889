import { agreeToNoWalls, withoutWallsRemedy } from "../../process/without-walls";
import { OperationalError } from "../../../core/base/operational-error";
import type {
  DeviceCode,
  EntryCase,
  EntryEnd,
  EntryOutcome,
  EntryProgram,
  SourceLines,
} from "../../../core/ports/entry-programs";
import type { PrivateFolder } from "../../process/private-folder";
import { type RunningProcess, exitText } from "../../process/start-process";
import { afterWorkOf, treeWork } from "../../process/work-clock";
import { BoundedOutput } from "../../process/bounded-output";
import { CodePlaces } from "../build/code-places";
import { noTraffic } from "../device/host/host-log";
import { turnEnds } from "../protocol/messages";
import type { RunningDevice } from "../run/device-host";
import { kernelOf, troubleOf, wheresOf } from "../run/program-result";
import type { CaseReport } from "../service/case-turns";

/** What surrounds the process of a harness. */
export interface EntryPlace {
  readonly device: RunningDevice;
  /** Its private folder. */
  readonly folder: PrivateFolder;
  /** The executable, whose code addresses are turned into lines. */
  readonly executable: string;
  /** The folder of the executable. */
  readonly shown: PrivateFolder;
  /** It is a whole program, whose end is its case's. */
  readonly isWhole: boolean;
}

/** Exit status and first words of the launcher where walls are missing (walls/launcher.py). */
const wallsMissing = { status: 97, mark: "kernelwright: missing walls: " } as const;
const toldBytes = 4096;
/** What a program prints is compared up to here. */
const printedBytes = 1024 * 1024;
/** What the runtime and the launcher say on a program's standard error. */
const ownWords = /^kernelwright: .*\n?/gm;
/** How long the device may take to read what a process said before it ended. */
const lastWordsSeconds = 0.2;
/** How many times as long as its limit of work a case may take by the clock. */
const busyTimes = 8;
/** What the folder of the sources is called in debug information (compile/host.py). */
const sourcesFolder = "/kernelwright";

/** One process behind walls and its device. */
export class RunningEntry implements EntryProgram {
  private broken = false;
  private lines: SourceLines = {};
  private readonly printed: BoundedOutput;

  constructor(
    private readonly process: RunningProcess,
    private readonly place: EntryPlace,
  ) {
    this.printed = new BoundedOutput(place.isWhole ? printedBytes : toldBytes);
    process.output.on("data", (chunk: Buffer) => this.printed.add(chunk));
    process.input.end();
  }

  get usable(): boolean {
    return !this.broken && !this.process.ended;
  }

  load(code: DeviceCode, lines: SourceLines): void {
    this.lines = lines;
    this.place.device.tell({ kind: "code", code });
  }

  async run(order: EntryCase): Promise<EntryOutcome> {
    const { device } = this.place;
    const over = device.next("case");
    device.tell({
      kind: "case",
      order: {
        buffers: order.buffers,
        arguments: order.arguments,
        counters: order.counters,
        detectors: order.detectors,
        ...(order.executed ? { executed: order.executed } : {}),
        ...(order.probe ? { probe: order.probe } : {}),
        ...(order.watched ? { watched: order.watched } : {}),
        ...(order.streams ? { streams: order.streams } : {}),
        ...(order.secondDevice === true ? { secondDevice: true } : {}),
        ...(order.callsTwice === true ? { callsTwice: true } : {}),
        ...(order.blocks ? { blocks: order.blocks } : {}),
        ...(order.arithmetic && { arithmetic: order.arithmetic }),
        ...(order.shaken ? { shaken: order.shaken } : {}),
      },
    });
    const waiting = new AbortController();
    const first = await Promise.race([
      over,
      this.process.exited.then(() => ({ kind: "exited" as const })),
      untilWorked(order.limitSeconds, waiting.signal),
      untilAborted(order.signal, waiting.signal),
    ]).finally(() => waiting.abort());
    if (first.kind === "case") return this.outcome(first.case, order.signal);
    this.broken = true;
    if (first.kind === "aborted") {
      await this.close();
      throw new OperationalError("cancelled", { forUser: "the run was cancelled" });
    }
    if (first.kind === "timed-out") {
      await this.close();
      return ended({ kind: "timed-out" });
    }
    return this.lost(over);
  }

  async close(): Promise<void> {
    this.broken = true;
    await this.process.stop();
    await this.place.device.close();
    await this.place.folder.remove();
    await this.place.shown.remove();
  }

  /** The process is gone. Its last words may still be on their way. */
  private async lost(
    over: Promise<{ readonly kind: "case"; readonly case: CaseReport }>,
  ): Promise<EntryOutcome> {
    const status = await this.process.exited;
    const said = this.process.standardError();
    const from = said.indexOf(wallsMissing.mark);
    if (status.code === wallsMissing.status && from >= 0)
      throw new OperationalError("walls-missing", {
        forUser: `the host code of CUDA candidates is not run on this machine: it cannot be walled off (missing: ${said.slice(from + wallsMissing.mark.length).trim()}). ${agreeToNoWalls}`,
        forModel: "the host code of CUDA candidates cannot be run on this machine",
        remedy: withoutWallsRemedy,
      });
    const last = await Promise.race([over, untilTime(lastWordsSeconds, new AbortController().signal)]);
    if (last.kind === "case") return this.outcome(last.case, new AbortController().signal);
    const words = `${this.printed.text()}${said}`.trim().split("\n").slice(-4).join("\n");
    return ended({
      kind: "lost",
      told: `the process ended ${exitText(status)}${words === "" ? "" : `: ${words}`}`,
    });
  }

  /** What a whole program comes to: all that it printed is there once it has ended. */
  private async ended({ message, report }: CaseReport): Promise<EntryOutcome["program"]> {
    this.broken = true;
    await this.process.stop();
    return {
      printed: this.printed.text(),
      errors: this.process.standardError().replace(ownWords, ""),
      code: Number(message),
      lastContents: report.lastContents ?? [],
    };
  }

  private async outcome(report: CaseReport, signal: AbortSignal): Promise<EntryOutcome> {
    const { executable } = this.place;
    const { lines } = this;
    const places = new CodePlaces({ file: "", folder: sourcesFolder, compileOptions: [], lines });
    await places.learn(executable, [...wheresOf(report.report), report.where], signal);
    const end = endOf(report, places);
    if (end.kind !== "returned" || report.report.problems.some(({ kind }) => kind !== "told"))
      this.broken = true;
    const program = this.place.isWhole ? { program: await this.ended(report) } : {};
    return {
      ...program,
      end,
      contents: report.contents,
      troubles: [...report.report.findings, ...report.report.problems].map((each) => troubleOf(each, places)),
      kernels: report.report.kernels.map((each) => kernelOf(each, places)),
      launches: report.launches,
      launchCount: report.report.launches,
      traffic: report.traffic,
      ...(report.executed ? { executed: report.executed } : {}),
      ...(report.accesses ? { accesses: report.accesses } : {}),
      warpInstructions: report.warpInstructions,
      ...(report.heap && { heap: report.heap }),
      kept: report.kept,
      ...(report.writer ? { writer: writerOf(report.writer) } : {}),
    };
  }
}

function ended(end: EntryEnd): EntryOutcome {
  return {
    end,
    contents: [],
    troubles: [],
    kernels: [],
    launches: [],
    launchCount: 0,
    traffic: noTraffic,
    warpInstructions: 0,
  };
}

function endOf({ status, message, where }: CaseReport, places: CodePlaces): EntryEnd {
  if (status === turnEnds.returned) return { kind: "returned" };
  const kinds = new Map<number, "raised" | "crashed">([
    [turnEnds.raised, "raised"],
    [turnEnds.crashed, "crashed"],
  ]);
  return { kind: kinds.get(status) ?? "failed", told: message.slice(0, toldBytes), ...places.of(where) };
}

function writerOf(told: NonNullable<CaseReport["writer"]>): NonNullable<EntryOutcome["writer"]> {
  return told === "nobody" ? told : { file: "", line: 0, ...told };
}

function untilTime(seconds: number, done: AbortSignal): Promise<{ readonly kind: "timed-out" }> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ kind: "timed-out" }), seconds * 1000);
    done.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

/** Time in which processors work for us or nobody does, and not many times as long. */
function untilWorked(seconds: number, done: AbortSignal): Promise<{ readonly kind: "timed-out" }> {
  const worked = new Promise<{ readonly kind: "timed-out" }>((resolve) => {
    const stop = afterWorkOf(treeWork, seconds, () => resolve({ kind: "timed-out" }));
    done.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([worked, untilTime(seconds * busyTimes, done)]);
}

function untilAborted(signal: AbortSignal, done: AbortSignal): Promise<{ readonly kind: "aborted" }> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ kind: "aborted" });
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true, signal: done });
  });
}
