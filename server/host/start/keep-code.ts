import type { Keeping } from "./run-bundle";

/** A start that took less processor time printed a help or a version, or found a wrong option. */
const briefMicroseconds = 500_000;

/** By then what a start needs has run, and most of what is short is over. */
const startedMilliseconds = 5_000;

/**
 * For a process. Once: after the start or at the end, whichever comes first. The code has the functions that
 * ran until then, so that of a brief start gives way to that of one which did more, and so does what V8
 * refused.
 */
export function keepOnceStarted({ isUsed, isRefused, keep }: Keeping): void {
  const keepOnce = (): void => {
    clearTimeout(timer);
    process.off("exit", keepOnce);
    const { user, system } = process.cpuUsage();
    const isBrief = user + system < briefMicroseconds && !isRefused;
    if (isBrief && isUsed) return;
    keep(isBrief ? "brief" : "whole");
  };
  const timer = setTimeout(keepOnce, startedMilliseconds);
  timer.unref();
  process.once("exit", keepOnce);
}

/** A thread that was busy for so long has begun its work, or has done most of what there is. */
const begunMilliseconds = 150;
const busyMilliseconds = 1_000;
const lookMilliseconds = 100;

/**
 * For a thread, which may be ended at any time: it looks again and again at how long it has been busy.
 */
export function keepOnceBusy({ isUsed, isRefused, keep }: Keeping): void {
  let isBegun = isUsed;
  const timer = setInterval(() => {
    const { active } = performance.eventLoopUtilization();
    if (active >= busyMilliseconds) {
      clearInterval(timer);
      keep("whole");
    } else if (active >= begunMilliseconds && !isBegun) {
      isBegun = true;
      keep(isRefused ? "whole" : "brief");
    }
  }, lookMilliseconds);
  timer.unref();
}
