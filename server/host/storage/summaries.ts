import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject } from "../../core/base/json";
import { OperationalError } from "../../core/base/operational-error";
import type { SessionSummary } from "../../core/ports/run-store";
import { summarize, type EventSummary } from "../../core/trajectory/summary";
import { errorCode, writeWhole } from "./disk";
import { listSegments, lockFile, readTextIfThere, sealFile } from "./session/session-folder";
import { readSession } from "./session/session-reader";
import type { StoragePorts } from "./storage-ports";
import { WriterLock } from "./writer-lock";

interface CachedSummary {
  /** Names, sizes and times of what the summary was made from. */
  readonly key: string;
  readonly summary: EventSummary;
  /** What is wrong with the log; null when nothing is. */
  readonly damaged: string | null;
}

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
    if (damaged !== null) return { sessionId, ...summary, status: "damaged", reason: damaged, folder };
    const status =
      summary.status !== "open"
        ? summary.status
        : (await WriterLock.isHeld(join(folder, lockFile), ports.clock))
          ? "running"
          : "crashed";
    const reason =
      status === "crashed" && summary.events === 0
        ? "it ended before its first event was written"
        : summary.reason;
    return { sessionId, ...summary, status, reason, folder };
  } catch (thrown) {
    // One folder that cannot be read must not hide the others, nor be hidden itself.
    if (!(thrown instanceof OperationalError)) throw thrown;
    if (thrown.cause instanceof Error && errorCode(thrown.cause) === "ENOENT") return undefined;
    return { sessionId, ...summarize([]), status: "damaged", reason: thrown.message, folder };
  }
}

async function cachedSummary(folder: string, ports: StoragePorts): Promise<CachedSummary> {
  const key = await contentKey(folder);
  const path = join(folder, "cache", "summary.json");
  const cached = parseCached(await readTextIfThere(path));
  if (cached?.key === key) return cached;
  const read = await readSession(folder, ports.identity);
  const fresh: CachedSummary = { key, summary: summarize(read.events), damaged: read.damaged ?? null };
  // A running session changes all the time; only what is at rest is worth keeping.
  if (fresh.summary.status !== "open") await keep(path, fresh, ports);
  return fresh;
}

async function contentKey(folder: string): Promise<string> {
  const parts: string[] = ["3"];
  for (const path of [
    ...(await listSegments(folder)).map((segment) => segment.path),
    join(folder, sealFile),
  ]) {
    try {
      const { size, mtimeMs } = await stat(path);
      parts.push(`${path.slice(folder.length)} ${size} ${mtimeMs}`);
    } catch {
      parts.push(`${path.slice(folder.length)} none`);
    }
  }
  return parts.join("\n");
}

function parseCached(text: string | undefined): CachedSummary | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return isJsonObject(value) &&
      typeof value.key === "string" &&
      isJsonObject(value.summary) &&
      (value.damaged === null || typeof value.damaged === "string")
      ? (value as unknown as CachedSummary)
      : undefined;
  } catch {
    return undefined;
  }
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
