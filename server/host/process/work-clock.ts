import { readdirSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** Milliseconds of work that are looked at together. */
const turn = 1000;
/** Whoever uses less of a turn than this share waits for something: a busy machine leaves more. */
const leastShare = 0.02;
/** Of /proc/PID/stat, after the name: the parent, and times of the process and of its ended children. */
const [parentField, firstTime, times] = [1, 11, 4];
const ticksPerSecond = 100;

/** Where time is told from. */
interface WorkMeter {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Milliseconds that processors have worked for what is measured; undefined where nobody can tell. */
  readonly used: () => number | undefined;
}

/**
 * A clock for limits that are to find the same on a busy machine as on an idle one. Gives milliseconds:
 * of the time that has passed since the last call, as much as processors have worked in it. Time in which
 * nothing worked counts whole, so that what waits for ever comes to its end, and so does all time where
 * nobody can tell of work.
 */
export function workClock({ now, used }: WorkMeter): () => number {
  let [lastNow, lastUsed, spent] = [now(), used(), 0];
  return () => {
    const [passed, worked] = [now() - lastNow, used()];
    const work = worked === undefined || lastUsed === undefined ? passed : worked - lastUsed;
    const isWaiting = work < leastShare * passed;
    spent += isWaiting ? passed : Math.min(passed, work);
    [lastNow, lastUsed] = [lastNow + passed, worked];
    return spent;
  };
}

/** The work of this process. */
export const ownWork: WorkMeter = { now: () => performance.now(), used: ownMilliseconds };

/** Processes that this one has not started: on a busy machine to look at all of them again is work itself. */
const strangers = new Set<number>();

/** The work of this process and of all that it has started, directly or not. */
export const treeWork: WorkMeter = { now: () => performance.now(), used: treeMilliseconds };

/** The work of this process and of `pid`. */
export function workBeside(pid: number): WorkMeter {
  const used = (): number | undefined => {
    const theirs = statOf(pid)?.milliseconds;
    return theirs === undefined ? undefined : theirs + ownMilliseconds();
  };
  return { now: () => performance.now(), used };
}

/** Milliseconds that pass, from now on. */
export function wallClock(): () => number {
  const begun = performance.now();
  return () => performance.now() - begun;
}

/** A clock that leaves out what passes between two looks at it of which the later one finds a pause. */
export function withoutPauses(clock: () => number, isPaused: () => boolean): () => number {
  let [last, spent] = [0, 0];
  return () => {
    const now = clock();
    if (!isPaused()) spent += now - last;
    last = now;
    return spent;
  };
}

/** Calls `end` once the clock shows so many seconds. Gives what stops it. */
export function afterSeconds(seconds: number, clock: () => number, end: () => void): () => void {
  const look = (): void => {
    if (clock() < 1000 * seconds) return;
    clearInterval(timer);
    end();
  };
  const timer = setInterval(look, Math.min(turn, 1000 * seconds));
  return () => clearInterval(timer);
}

/**
 * Calls `end` after so many seconds of work that `meter` tells of. The first turn counts whole, so that what
 * is over soon is not measured. Gives what stops it.
 */
export function afterWorkOf(meter: WorkMeter, seconds: number, end: () => void): () => void {
  const begun = meter.now();
  let clock: (() => number) | undefined;
  let first = 0;
  const shown = (): number => {
    if (clock === undefined) {
      clock = workClock(meter);
      first = meter.now() - begun;
    }
    return first + clock();
  };
  return afterSeconds(seconds, shown, end);
}

/** Seconds that processors have worked for this process, without those that it has started. */
export function ownSeconds(): number {
  return ownMilliseconds() / 1000;
}

/**
 * A signal that fires after so many seconds of work of this process; `stop` takes the watch off. Time in
 * which it waits for others does not count: they have limits of their own.
 */
export function workLimit(seconds: number): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const begun = ownSeconds();
  const timer = setInterval(() => {
    if (ownSeconds() - begun >= seconds) controller.abort();
  }, turn / 4);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

function ownMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What a process and its ended children have worked; undefined without /proc, and when it is gone. */
function statOf(
  pid: number | string,
): { readonly parent: number; readonly milliseconds: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(firstTime, firstTime + times).reduce((sum, each) => sum + Number(each), 0);
    return { parent: Number(fields[parentField]), milliseconds: (1000 * ticks) / ticksPerSecond };
  } catch {
    return undefined;
  }
}

/** Undefined on systems without /proc. */
function treeMilliseconds(): number | undefined {
  const own = statOf(process.pid);
  if (own === undefined) return undefined;
  const present = readdirSync("/proc").map(Number).filter(Number.isInteger);
  const listed = new Set(present);
  // A number may be given to another process once its own is gone.
  for (const pid of strangers) if (!listed.has(pid)) strangers.delete(pid);
  const children = new Map<number, Child[]>();
  for (const pid of present) {
    const stat = strangers.has(pid) ? undefined : statOf(pid);
    if (stat === undefined) continue;
    const siblings = children.get(stat.parent) ?? [];
    siblings.push({ pid, milliseconds: stat.milliseconds });
    children.set(stat.parent, siblings);
  }
  let sum = own.milliseconds;
  const left = [process.pid];
  for (let parent = left.pop(); parent !== undefined; parent = left.pop()) {
    for (const { pid, milliseconds } of children.get(parent) ?? []) {
      sum += milliseconds;
      left.push(pid);
    }
    children.delete(parent);
  }
  for (const { pid } of [...children.values()].flat()) if (pid !== process.pid) strangers.add(pid);
  return sum;
}

interface Child {
  readonly pid: number;
  readonly milliseconds: number;
}
