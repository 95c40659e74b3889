import { OperationalError } from "../../../core/base/operational-error";
import type { ProgramRequest, ProgramResult } from "../../../core/ports/program-runner";
import { type ProgramEnd, runUserProgram } from "../../process/start-program";
import {
  afterSeconds,
  ownWork,
  wallClock,
  withoutPauses,
  workBeside,
  workClock,
} from "../../process/work-clock";
import { CodePlaces } from "../build/code-places";
import { type RunningDevice, startDevice } from "./device-host";
import type { DeviceThreads } from "./device-threads";
import { captureOf, kernelOf, troubleOf, wheresOf } from "./program-result";
import type { DeviceReport } from "../device/report";

/** A program that finds its device by the environment. */
export interface DeviceProgram {
  /** The executable, whose code addresses are turned into lines. */
  readonly command: string;
  readonly arguments: readonly string[];
  /** Added to the request's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether it waits for something of the product that is made once: nobody's patience wears out by that. */
  readonly isPreparing?: () => boolean;
}

/**
 * Runs a program with a device of its own and gives what both have to say at its end.
 */
export async function runOverDevice(
  threads: DeviceThreads,
  program: DeviceProgram,
  request: ProgramRequest,
): Promise<Extract<ProgramResult, { kind: "ran" }>> {
  const { architecture, sanitize, profile, launchBudget, record, repeatLimit } = request;
  const limited = repeatLimit === undefined ? {} : { repeatLimit };
  const options = { architecture, sanitize, profile, simulates: profile, launchBudget, ...limited };
  const device = await startDevice(
    threads,
    record === undefined ? options : { ...options, record },
    request.say,
  );
  try {
    const end = await runOn(device, program, request);
    const stopWaiting = end.isCut ? stopLaunchesSoon(device, request) : undefined;
    const report = await reportOf(device, request);
    stopWaiting?.();
    const places = new CodePlaces(request);
    const { signal } = request;
    // What an ended program has left is looked at all the same.
    await places.learn(
      program.command,
      wheresOf(report),
      signal.aborted ? new AbortController().signal : signal,
    );
    return {
      kind: "ran",
      ...end,
      launches: report.launches,
      timed: report.timed,
      findings: report.findings.map((each) => troubleOf(each, places)),
      problems: report.problems.map((each) => troubleOf(each, places)),
      kernels: report.kernels.map((each) => kernelOf(each, places)),
      ...(report.capture ? { capture: captureOf(report.capture, places) } : {}),
    };
  } finally {
    await device.close();
  }
}

/** How long a launch may take to end when its program was ended and what it did counts. */
const lastLaunchSeconds = 5;
/** How long what was stopped may take to say what was seen. */
const lastReportMilliseconds = 10_000;

/** A launch that goes on when its program was ended says nothing more. Gives what stops the waiting. */
function stopLaunchesSoon(device: RunningDevice, { signal }: ProgramRequest): () => void {
  const clock = signal.aborted ? wallClock() : workClock(ownWork);
  return afterSeconds(lastLaunchSeconds, clock, () => device.stopLaunches());
}

/** A launch may run on when its program is over; the user need not wait for it. */
async function reportOf(
  device: RunningDevice,
  { signal, file, keepsWhenEnded }: ProgramRequest,
): Promise<DeviceReport> {
  const cancelled = new Promise<never>((_, reject) => {
    const end = (): void => {
      reject(new OperationalError("cancelled", { forUser: `${file} was ended` }));
    };
    if (signal.aborted && keepsWhenEnded === true)
      setTimeout(end, 1000 * lastLaunchSeconds + lastReportMilliseconds).unref();
    else if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });
  return Promise.race([cancelled, device.report()]);
}

/**
 * Runs the program to its end; when the device crashes under it, the program is ended and the crash is
 * thrown.
 */
async function runOn(
  device: RunningDevice,
  program: DeviceProgram,
  request: ProgramRequest,
): Promise<ProgramEnd & { readonly isCut: boolean }> {
  const crash = new AbortController();
  const patience = new AbortController();
  let stopWaiting = (): void => undefined;
  let problem: OperationalError | undefined;
  void device.crashed.then((thrown) => {
    problem = thrown;
    crash.abort();
  });
  const end = await runUserProgram({
    command: program.command,
    arguments: program.arguments,
    folder: request.startFolder ?? request.folder,
    descriptors: request.descriptors,
    environment: { ...request.environment, ...program.environment, ...device.environment },
    signal: AbortSignal.any([request.signal, crash.signal, patience.signal]),
    started: (pid) => {
      stopWaiting = afterPatience(request, program, pid, () => patience.abort());
    },
  });
  stopWaiting();
  if (problem !== undefined) throw problem;
  const isKept = request.keepsWhenEnded === true && request.signal.aborted;
  return { ...end, isCut: patience.signal.aborted || isKept };
}

/** Gives what stops it. */
function afterPatience(
  { patience }: ProgramRequest,
  { isPreparing }: DeviceProgram,
  pid: number,
  end: () => void,
): () => void {
  if (patience === undefined) return () => undefined;
  const clock = patience.of === "work" ? workClock(workBeside(pid)) : wallClock();
  return afterSeconds(
    patience.seconds,
    isPreparing === undefined ? clock : withoutPauses(clock, isPreparing),
    end,
  );
}
