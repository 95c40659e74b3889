import { open, readFile, truncate } from "node:fs/promises";
import { OperationalError } from "../../../core/base/operational-error";
import type { Clock } from "../../../core/ports/clock";
import type { Identity } from "../../../core/ports/identity";
import { ChainReader } from "../../../core/trajectory/chain";
import type { SessionEvent } from "../../../core/trajectory/events";
import { onDisk } from "../disk";
import type { StoragePorts } from "../storage-ports";
import type { ReadSession, SealedSegment } from "./read-session";
import { readSeal, type Seal } from "./seal";
import { listSegments, type Segment } from "./session-folder";

const followMilliseconds = 100;

/** Reads a whole session without its lock. Throws `session-damaged` only for a log of a newer format. */
export async function readSession(
  folder: string,
  { identity, disk }: Pick<StoragePorts, "identity" | "disk">,
): Promise<ReadSession> {
  const reader = new ChainReader((bytes) => identity.sha256(bytes));
  const segments = await listSegments(folder);
  const digests = new Map<string, { readonly bytes: number; readonly sha256: (length: number) => string }>();
  const sealed: SealedSegment[] = [];
  let torn: ReadSession["torn"];
  for (const [index, segment] of segments.entries()) {
    if (index > 0) reader.endSegment();
    const content = await disk.read(segment.path);
    reader.push(content);
    const whole = content.subarray(0, content.length - reader.tornBytes);
    sealed.push({ file: segment.name, bytes: whole.length, sha256: identity.sha256(whole) });
    digests.set(segment.name, {
      bytes: content.length,
      sha256: (length) => identity.sha256(content.subarray(0, length)),
    });
    torn =
      reader.tornBytes > 0
        ? { path: segment.path, keep: reader.goodBytes, bytes: reader.tornBytes }
        : undefined;
  }
  refuseNewer(reader.events);
  const damage = reader.damage?.reason ?? brokenSeal(await readSeal(folder), digests);
  return {
    events: reader.events,
    ...(damage === undefined ? {} : { damaged: damage }),
    head: reader.head,
    nextSequence: reader.nextSequence,
    lastSegment: segments.at(-1)?.number ?? 0,
    torn,
    segments: sealed,
  };
}

/** As much of a log as holds the first rows of a page, in bytes; a shorter one is read whole as soon. */
const openingBytes = 256 * 1024;

/**
 * The first events of a long log, at most so many, without its lock; undefined for a short log, and for one
 * that is not as it must be up to there.
 */
export async function readOpening(
  folder: string,
  { identity, most }: Pick<StoragePorts, "identity"> & { readonly most: number },
): Promise<readonly SessionEvent[] | undefined> {
  const [first] = await listSegments(folder);
  if (first === undefined) return undefined;
  const content = await readFrom(first.path, 0, openingBytes);
  if (content.length < openingBytes) return undefined;
  const reader = new ChainReader((bytes) => identity.sha256(bytes));
  const events = reader.push(content);
  const isWhole = reader.damage === undefined && !events.some(({ v }) => v > 1);
  return isWhole && events.length >= most ? events.slice(0, most) : undefined;
}

/**
 * A seal covers the segments as they were at its time; segments may have come after it, and none of its own
 * may have changed.
 */
function brokenSeal(
  seal: Seal | undefined,
  digests: ReadonlyMap<string, { readonly bytes: number; readonly sha256: (length: number) => string }>,
): string | undefined {
  for (const sealed of seal?.segments ?? []) {
    const present = digests.get(sealed.file);
    if (!present) return `segment ${sealed.file} is missing (the seal ends at event ${seal?.last_seq})`;
    if (present.bytes !== sealed.bytes || present.sha256(sealed.bytes) !== sealed.sha256) {
      return `segment ${sealed.file} was changed after the session was sealed at event ${seal?.last_seq}`;
    }
  }
  return undefined;
}

function refuseNewer(events: readonly SessionEvent[]): void {
  const newer = events.find(
    (event) =>
      event.v > 1 || (event.type === "session.started" && !/^[01]\./.test(event.data.format_version)),
  );
  if (!newer) return;
  throw new OperationalError("session-damaged", {
    forUser: `The session was written by a newer Kernelwright (event ${newer.seq}). Update Kernelwright to open it.`,
  });
}

/** Moves a torn tail to SEGMENT.torn (or .torn2, …), then cuts it off. Only for the holder of the lock. */
export async function moveTornTail(torn: NonNullable<ReadSession["torn"]>): Promise<void> {
  await onDisk("recover", torn.path, async () => {
    const content = await readFile(torn.path);
    const file = await openFirstFree(`${torn.path}.torn`);
    try {
      await file.writeFile(content.subarray(torn.keep));
      await file.sync();
    } finally {
      await file.close();
    }
    await truncate(torn.path, torn.keep);
  });
}

async function openFirstFree(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  for (let number = 1; ; number++) {
    try {
      return await open(number === 1 ? path : `${path}${number}`, "wx", 0o600);
    } catch (thrown) {
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST")) throw thrown;
    }
  }
}

/**
 * Reads new lines as they come, without the lock, until the signal fires; gives each event once, in order.
 */
export async function followSession(
  folder: string,
  onEvents: (events: readonly SessionEvent[]) => void,
  options: { readonly identity: Identity; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const reader = new ChainReader((bytes) => options.identity.sha256(bytes));
  const place: FollowPlace = { segment: 0, offset: 0 };
  while (!options.signal.aborted) {
    const events = await readMore(await listSegments(folder), place, reader);
    if (events.length > 0) onEvents(events);
    await options.clock.sleep(followMilliseconds, options.signal).catch(() => undefined);
  }
}

interface FollowPlace {
  /** Index of the segment that is being read. */
  segment: number;
  offset: number;
}

async function readMore(
  segments: readonly Segment[],
  place: FollowPlace,
  reader: ChainReader,
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (;;) {
    const segment = segments[place.segment];
    if (!segment) return events;
    const content = await readFrom(segment.path, place.offset);
    place.offset += content.length;
    for (const event of reader.push(content)) events.push(event);
    // The list was made before the reading: a segment with a successor in it was complete by then.
    if (place.segment + 1 >= segments.length) return events;
    reader.endSegment();
    place.segment++;
    place.offset = 0;
  }
}

async function readFrom(path: string, offset: number, most = Infinity): Promise<Uint8Array> {
  return onDisk("read", path, async () => {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const content = new Uint8Array(Math.max(0, Math.min(most, size - offset)));
      const { bytesRead } = await file.read(content, 0, content.length, offset);
      return content.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  });
}
