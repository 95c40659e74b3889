import { link, open, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";

const waitMilliseconds = 200;

/**
 * Keeps a GPU for this process: what runs beside a timed call falsifies its time. The lock is a file with the
 * number of the process that holds it; that of a process that is gone is taken over.
 */
export async function claimGpu(
  uuid: string,
  signal: AbortSignal,
  folder = tmpdir(),
): Promise<{ readonly release: () => Promise<void> }> {
  const path = join(folder, `kernelwright-gpu-${uuid.replace(/[^\w-]/g, "_")}.lock`);
  for (;;) {
    if (await take(path)) return { release: () => rm(path, { force: true }) };
    if (signal.aborted)
      throw new OperationalError("cancelled", { forUser: "waiting for the GPU was cancelled" });
    if (await isAbandoned(path)) await takeAway(path);
    else await new Promise((resolve) => setTimeout(resolve, waitMilliseconds));
  }
}

async function take(path: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o644);
    await file.writeFile(`${process.pid}\n`);
    await file.close();
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST") return false;
    throw new OperationalError("disk-failed", {
      forUser: `the lock of the GPU, ${path}, cannot be made`,
      cause: thrown,
    });
  }
}

/** Removes an abandoned lock; one that another process made in the meantime is put back. */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  await rename(path, aside).catch(() => undefined);
  if (!(await isAbandoned(aside))) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/** Whether the process that holds the lock is gone. One that is just being written names nobody yet. */
async function isAbandoned(path: string): Promise<boolean> {
  const holder = Number(await readFile(path, "utf8").catch(() => ""));
  if (!Number.isSafeInteger(holder) || holder <= 0) return false;
  try {
    process.kill(holder, 0);
    return false;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH";
  }
}
