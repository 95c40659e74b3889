import { join } from "node:path";
import { OperationalError } from "../../../core/base/operational-error";
import type { NewEvent } from "../../../core/trajectory/events";
import { closingEvents } from "../../../core/trajectory/recovery";
import { makeFolder, writeWhole } from "../disk";
import { SegmentWriter } from "./segment-writer";
import { existingFolder, lockFile, sessionFile } from "./session-folder";
import { FileSessionLog, type LogPosition } from "./session-log";
import type { SessionMemories } from "./session-memories";
import { SessionMemory } from "./session-memory";
import { moveTornTail } from "./session-reader";
import type { StoragePorts } from "../storage-ports";
import { WriterLock } from "../writer-lock";

/** Where logs are opened, and who is told that one was closed. */
export interface LogPlace {
  readonly root: string;
  readonly ports: StoragePorts;
  readonly memories: SessionMemories;
  readonly onClosed: (sessionId: string) => void;
}

/** A new session with an empty log, and its lock. */
export async function createLog(place: LogPlace, productVersion: string): Promise<FileSessionLog> {
  const { root, ports } = place;
  const sessionId = ports.identity.ulid();
  const folder = join(root, sessionId);
  await makeFolder(folder);
  const lock = await WriterLock.acquire(join(folder, lockFile), ports);
  try {
    const facts = {
      format: "kernelwright-session",
      format_version: "1.0",
      session: sessionId,
      created: ports.clock.now(),
      product: { name: "kernelwright", version: productVersion },
    };
    await writeWhole(
      join(folder, sessionFile),
      `${JSON.stringify(facts, undefined, 2)}\n`,
      ports.identity.ulid(),
    );
    return await openLog(place, {
      sessionId,
      lock,
      position: { segment: 1, ended: false },
      memory: new SessionMemory(ports),
    });
  } catch (thrown) {
    await lock.release();
    throw thrown;
  }
}

/**
 * Takes the lock of a session that is there, moves a torn tail away, begins a segment and closes what a crash
 * left open.
 */
export async function reopenLog(place: LogPlace, sessionId: string): Promise<FileSessionLog> {
  const { root, ports } = place;
  const folder = await existingFolder(root, sessionId);
  const lock = await WriterLock.acquire(join(folder, lockFile), ports);
  let log: FileSessionLog | undefined;
  try {
    const memory = await place.memories.current(sessionId);
    const { damaged: damage, torn, lastSegment } = memory.log;
    if (damage !== undefined) throw damaged(sessionId, damage);
    if (torn) await moveTornTail(torn);
    const segment = lastSegment + 1;
    const opening = openingEvents(segment, memory);
    log = await openLog(place, {
      sessionId,
      lock,
      position: { segment, ended: !memory.work.isOpenEnded },
      memory,
    });
    for (const event of opening) await log.append(event);
    return log;
  } catch (thrown) {
    await (log ? log.close() : lock.release());
    throw thrown;
  }
}

async function openLog(
  place: LogPlace,
  opening: {
    readonly sessionId: string;
    readonly lock: WriterLock;
    readonly position: LogPosition;
    readonly memory: SessionMemory;
  },
): Promise<FileSessionLog> {
  const { sessionId, lock, position, memory } = opening;
  const folder = join(place.root, sessionId);
  // Before the folder changes: readers are to see the memory and not a log that is being opened.
  place.memories.beginWriting(sessionId, memory);
  const writer = await openSegment(place, sessionId, position.segment);
  return new FileSessionLog(sessionId, folder, place.ports, {
    lock,
    writer,
    position,
    memory,
    endWriting: () => place.memories.endWriting(sessionId),
    onClosed: () => place.onClosed(sessionId),
  });
}

async function openSegment(place: LogPlace, sessionId: string, segment: number): Promise<SegmentWriter> {
  try {
    return await SegmentWriter.create(join(place.root, sessionId), segment);
  } catch (thrown) {
    await place.memories.endWriting(sessionId);
    throw thrown;
  }
}

/**
 * What a new segment begins with: its number, and after a crash what was lost, each open call and request
 * closed.
 */
function openingEvents(segment: number, { work, log: { torn } }: SessionMemory): readonly NewEvent[] {
  const opened: NewEvent = { type: "segment.opened", actor: { kind: "system" }, data: { segment } };
  const ends = work.ends();
  const lost = [...ends.calls, ...ends.requests.map(({ request }) => request), ...ends.jobs];
  if (!work.isOpenEnded && lost.length === 0 && !torn) return [opened];
  return [
    opened,
    {
      type: "session.recovered",
      actor: { kind: "system" },
      data: { torn_bytes: torn?.bytes ?? 0, lost_calls: lost },
    },
    ...closingEvents(ends),
  ];
}

function damaged(sessionId: string, reason: string): OperationalError {
  return new OperationalError("session-damaged", {
    forUser: `Session ${sessionId} is damaged: ${reason}. It can be viewed and exported, but not continued.`,
    forModel: "The session is damaged and cannot be continued.",
  });
}
