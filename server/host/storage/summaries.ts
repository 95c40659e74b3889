import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { OperationalError } from "../../core/base/operational-error";
import { objectOf, readJson } from "../../core/base/shape";
import type { SessionSummary } from "../../core/ports/run-store";
import { type EventSummary, SessionSum, summarize, summaryShape } from "../../core/trajectory/summary";
import { errorCode, writeWhole } from "./disk";
import { lockFile, nameFile, placeFile, readTextIfThere } from "./session/session-folder";
import { contentKey } from "./session/session-memories";
import type { SessionMemory } from "./session/session-memory";
import { readSession } from "./session/session-reader";
import type { StoragePorts } from "./storage-ports";
import { WriterLock } from "./writer-lock";

/** Changes with what a summary holds. */
const cacheVersion = "4";

interface CachedSummary {
  /** Names, sizes and times of what the summary was made from. */
  readonly key: string;
  readonly summary: EventSummary;
  /** What is wrong with the log; null when nothing is. */
  readonly damaged: string | null;
}

const cachedShape = objectOf<CachedSummary>()({
  key: z.string(),
  summary: summaryShape,
  damaged: z.nullable(z.string()),
});

/**
 * Sums one session up, also one that cannot be opened; undefined when the folder is gone. Kept in the
 * session's cache folder until the log grows.
 */
export async function summaryOf(
  sessionId: string,
  folder: string,
  ports: StoragePorts,
): Promise<SessionSummary | undefined> {
  try {
    const { summary, damaged } = await cachedSummary(folder, ports);
    return await finished(sessionId, folder, { summary, damaged, clock: ports.clock });
  } catch (thrown) {
    // One folder that cannot be read must not hide the others, nor be hidden itself.
    if (!(thrown instanceof OperationalError)) throw thrown;
    if (thrown.cause instanceof Error && errorCode(thrown.cause) === "ENOENT") return undefined;
    return { sessionId, ...summarize([]), status: "damaged", reason: thrown.message, folder };
  }
}

/** Sums up a session that was read already. */
export function summaryOfMemory(
  sessionId: string,
  folder: string,
  { memory, clock }: Pick<StoragePorts, "clock"> & { readonly memory: SessionMemory },
): Promise<SessionSummary> {
  return finished(sessionId, folder, {
    summary: memory.summary(),
    damaged: memory.log.damaged ?? null,
    clock,
  });
}

/**
 * The status says as well who holds the session's lock; the name, which is the user's, and where the kernel's
 * file is now stand beside the log.
 */
async function finished(
  sessionId: string,
  folder: string,
  { summary: told, damaged, clock }: Omit<CachedSummary, "key"> & Pick<StoragePorts, "clock">,
): Promise<SessionSummary> {
  const name = await readTextIfThere(join(folder, nameFile));
  const file = (await readTextIfThere(join(folder, placeFile))) ?? told.file;
  const summary = { ...told, file, ...(name === undefined ? {} : { name }) };
  if (damaged !== null) return { sessionId, ...summary, status: "damaged", reason: damaged, folder };
  if (summary.status !== "open") return { sessionId, ...summary, status: summary.status, folder };
  if (await WriterLock.isHeld(join(folder, lockFile), clock))
    return { sessionId, ...summary, status: "running", folder };
  const reason = summary.events === 0 ? "it ended before its first event was written" : summary.reason;
  return { sessionId, ...summary, status: "crashed", reason, folder };
}

async function cachedSummary(folder: string, ports: StoragePorts): Promise<CachedSummary> {
  const key = `${cacheVersion}\n${(await contentKey(folder)).text}`;
  const path = join(folder, "cache", "summary.json");
  const cached = readJson(cachedShape, (await readTextIfThere(path)) ?? "");
  if (cached?.key === key) return cached;
  const sum = new SessionSum();
  const { damaged = null } = await readSession(folder, ports, (event) => sum.apply(event));
  const fresh: CachedSummary = { key, summary: sum.total(), damaged };
  // A running session changes all the time; only what is at rest is worth keeping.
  if (fresh.summary.status !== "open") await keep(path, fresh, ports);
  return fresh;
}

async function keep(path: string, fresh: CachedSummary, ports: StoragePorts): Promise<void> {
  try {
    await mkdir(join(path, ".."), { recursive: true });
    await writeWhole(path, JSON.stringify(fresh), ports.identity.ulid());
  } catch {
    // The cache saves time only: without it the log is read again.
    return;
  }
}
