import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { OperationalError } from "../../core/base/operational-error";

const lookMilliseconds = 200;
/** A mark that is older counts for nothing: its process may be another one by now. */
const longestMilliseconds = 600_000;
/** A mark is there before its content; one that stays empty was left by a full disk. */
const emptyMilliseconds = 5_000;

/**
 * Does work that leaves something on disk, while other processes wait for it that want the same. It only
 * saves work: who is believed gone although it is not is not waited for, so that two may be at it.
 * @param mark path of a file that is there while one is at work; its folder must be there
 * @param isDone asked before each attempt; true ends the waiting without work
 */
export async function oneAtATime(
  mark: string,
  { isDone, work, signal }: { isDone: () => boolean; work: () => Promise<void>; signal: AbortSignal },
): Promise<void> {
  while (!isDone()) {
    if (!(await markedByUs(mark))) {
      await nextLook(signal);
      continue;
    }
    try {
      return await work();
    } finally {
      await rm(mark, { force: true });
    }
  }
}

async function nextLook(signal: AbortSignal): Promise<void> {
  try {
    await wait(lookMilliseconds, undefined, { signal });
  } catch (cause) {
    throw new OperationalError("cancelled", { forUser: "the run was cancelled", cause });
  }
}

/** Leaves a mark, also in the place of one whose process is gone. False where another process is at work. */
async function markedByUs(mark: string): Promise<boolean> {
  if (await isNewlyMarked(mark)) return true;
  if (await isHeld(mark)) return false;
  await rm(mark, { force: true });
  return isNewlyMarked(mark);
}

/** False where a mark is there already. One is removed only after it was read: an unseen one may be new. */
async function isNewlyMarked(mark: string): Promise<boolean> {
  return writeFile(mark, String(process.pid), { flag: "wx" }).then(
    () => true,
    (thrown: unknown) => {
      if (codeOf(thrown) === "EEXIST") return false;
      throw thrown;
    },
  );
}

async function isHeld(mark: string): Promise<boolean> {
  try {
    const [holder, { mtimeMs }] = [await readFile(mark, "utf8"), await stat(mark)];
    const age = Date.now() - mtimeMs;
    if (holder === "") return age < emptyMilliseconds;
    return age < longestMilliseconds && isRunning(Number(holder));
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return false;
    throw thrown;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    // Not allowed to signal it means that it is there.
    return codeOf(thrown) === "EPERM";
  }
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}
