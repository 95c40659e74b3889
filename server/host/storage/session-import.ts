import { chmod, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { at } from "../../core/base/known";
import { OperationalError } from "../../core/base/operational-error";
import type { ImportedSession } from "../../core/ports/run-store";
import type { SessionEvent } from "../../core/trajectory/events";
import { validateLog } from "../../core/trajectory/validate";
import { BlobStore } from "./blob-store";
import { makeFolder, onDisk, writeWhole } from "./disk";
import { segmentDisk } from "./session/segment-disk";
import {
  listSegments,
  readTextIfThere,
  sealFile,
  type Segment,
  segmentName,
  sessionFile,
} from "./session/session-folder";
import { readSession } from "./session/session-reader";
import type { StoragePorts } from "./storage-ports";

/** A log that is larger is refused: an hour of work has some megabytes. */
const mostBytes = 256 * 1024 * 1024;

/** Nobody writes into what was brought in; what comes to it later is a segment of its own. */
const readOnly = 0o400;

interface ImportPlace extends Pick<StoragePorts, "clock" | "identity"> {
  /** Folder of all sessions. */
  readonly root: string;
}

/**
 * Copies the log of a session from elsewhere below the root, under a new name, with the texts that it keeps
 * in files beside it. What is checked is the copy. Throws `file-not-found`, `file-unreadable` with the line
 * at fault, `session-damaged` for a log of a newer version, and `disk-failed`.
 */
export async function importSession(path: string, place: ImportPlace): Promise<ImportedSession> {
  const { root, identity } = place;
  const { segments, folder } = await logAt(path);
  const sessionId = identity.ulid();
  // No session yet: what a crash leaves of it is not listed.
  const staging = join(root, `importing-${sessionId}`);
  await makeFolder(staging);
  try {
    const contents = await copySegments(segments, staging);
    if (folder !== undefined) await copySeal(folder, staging);
    const events = await checkedEvents(segments, { contents, staging, identity });
    await writeFacts(staging, sessionId, { events, place });
    const missingTexts = await copyTexts(events, dirname(folder ?? path), place);
    await onDisk("import", staging, () => rename(staging, join(root, sessionId)));
    return { sessionId, events: events.length, missingTexts };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

interface FoundLog {
  readonly segments: readonly Segment[];
  /** Of the session; left out for a file that stands alone. */
  readonly folder?: string;
}

/** The segments of a session's folder, also where one of them is named, or the one file that is named. */
async function logAt(path: string): Promise<FoundLog> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw new OperationalError("file-not-found", {
      forUser: `${path}: there is no such file. Name a session's event log (events-000001.jsonl) or its folder.`,
    });
  const folder = found.isDirectory() ? path : dirname(path);
  const beside = await listSegments(folder);
  const alone = !found.isDirectory() && !beside.some(({ name }) => name === basename(path));
  const segments = alone ? [{ number: 1, name: basename(path), path }] : beside;
  if (segments.length === 0)
    throw new OperationalError("file-not-found", {
      forUser: `${path}: there is no event log in this folder: events-000001.jsonl is expected.`,
    });
  let bytes = 0;
  for (const segment of segments)
    bytes += (await onDisk("read", segment.path, () => stat(segment.path))).size;
  if (bytes > mostBytes)
    throw new OperationalError("file-unreadable", {
      forUser: `${path}: ${bytes} bytes; a log of at most ${mostBytes} is expected.`,
    });
  return { segments, ...(alone ? {} : { folder }) };
}

async function copySegments(segments: readonly Segment[], staging: string): Promise<readonly Uint8Array[]> {
  const contents: Uint8Array[] = [];
  for (const [index, { path }] of segments.entries()) {
    const content = await onDisk("read", path, () => readFile(path));
    const copy = join(staging, segmentName(index + 1));
    await onDisk("import", copy, async () => {
      await writeFile(copy, content, { flag: "wx", flush: true });
      await chmod(copy, readOnly);
    });
    contents.push(content);
  }
  return contents;
}

async function copySeal(folder: string, staging: string): Promise<void> {
  const seal = await readTextIfThere(join(folder, sealFile));
  if (seal !== undefined) await onDisk("import", staging, () => writeFile(join(staging, sealFile), seal));
}

interface Copied extends Pick<StoragePorts, "identity"> {
  readonly contents: readonly Uint8Array[];
  readonly staging: string;
}

async function checkedEvents(
  segments: readonly Segment[],
  { contents, staging, identity }: Copied,
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  const { damaged } = await readSession(staging, { identity, disk: segmentDisk }, (event) =>
    events.push(event),
  );
  const refuse = (seq: number, problem: string): never => {
    throw new OperationalError("file-unreadable", {
      forUser: `${lineOf(seq, segments, contents)}: ${problem}. Nothing was imported.`,
    });
  };
  if (events.length === 0)
    return refuse(1, "this is no event of a session: a line of JSON with seq, prev and type is expected");
  const [problem] = validateLog(contents, (bytes) => identity.sha256(bytes));
  if (problem !== undefined) return refuse(problem.seq, problem.message);
  if (damaged !== undefined) return refuse(events.length, damaged);
  if (!events.some(({ type }) => type === "session.started"))
    return refuse(1, "the log does not begin with session.started: its first segment is missing");
  return events;
}

/** `FILE:LINE` of the line on which an event stands; events stand one a line from the first segment on. */
function lineOf(seq: number, segments: readonly Segment[], contents: readonly Uint8Array[]): string {
  let before = 0;
  for (const [index, { path }] of segments.entries()) {
    const content = at(contents, index);
    const lines = Math.max(1, new TextDecoder().decode(content).replace(/\n$/, "").split("\n").length);
    if (seq <= before + lines || index === segments.length - 1)
      return `${path}:${Math.min(seq - before, lines)}`;
    before += lines;
  }
  return "";
}

async function writeFacts(
  staging: string,
  sessionId: string,
  { events, place }: { readonly events: readonly SessionEvent[]; readonly place: ImportPlace },
): Promise<void> {
  const started = events.find((event) => event.type === "session.started");
  const facts = {
    format: "kernelwright-session",
    format_version: "1.0",
    session: sessionId,
    created: place.clock.now(),
    product: started?.data.product,
    imported: true,
  };
  const text = `${JSON.stringify(facts, undefined, 2)}\n`;
  await writeWhole(join(staging, sessionFile), text, place.identity.ulid());
}

/** Brings the texts that stand beside the log; gives how many are not there, or are not what they were. */
async function copyTexts(
  events: readonly SessionEvent[],
  from: string,
  { root, identity }: ImportPlace,
): Promise<number> {
  const [source, own] = [new BlobStore(from, identity), new BlobStore(root, identity)];
  let missing = 0;
  for (const hex of new Set(events.flatMap(({ blobs }) => blobs ?? []))) {
    const content = await own.get(hex).catch(() => source.get(hex).catch(() => undefined));
    if (content === undefined) missing += 1;
    else await own.put(content);
  }
  return missing;
}
