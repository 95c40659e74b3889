import { open, readFile, truncate } from "node:fs/promises";
import { OperationalError } from "../../../core/base/operational-error";
import { ChainReader } from "../../../core/trajectory/chain";
import type { SessionEvent } from "../../../core/trajectory/events";
import { onDisk } from "../disk";
import type { StoragePorts } from "../storage-ports";
import type { LinePlace } from "./log-pages";
import type { ReadSession, SealedSegment } from "./read-session";
import { readSeal, type Seal } from "./seal";
import { listSegments, type Segment } from "./session-folder";

const followMilliseconds = 100;

/** A segment as it is, its torn tail included. */
type SegmentDigests = Pick<SealedSegment, "bytes" | "sha256">;

/**
 * Reads a whole session without its lock, and hands over each event with its place. Throws `session-damaged`
 * only for a log of a newer format.
 */
export async function readSession(
  folder: string,
  { identity, disk }: Pick<StoragePorts, "identity" | "disk">,
  take: (event: SessionEvent, place: LinePlace) => void,
): Promise<ReadSession> {
  const reader = new ChainReader((bytes) => identity.sha256(bytes));
  const segments = await listSegments(folder);
  const digests = new Map<string, SegmentDigests>();
  const sealed: SealedSegment[] = [];
  const seal = await readSeal(folder);
  let torn: ReadSession["torn"];
  for (const [index, { path, name }] of segments.entries()) {
    if (index > 0) reader.endSegment();
    const content = await disk.read(path);
    for (const { event, end } of reader.push(content)) {
      refuseNewer(event);
      take(event, { path, end });
    }
    const whole = content.subarray(0, content.length - reader.tornBytes);
    sealed.push({ file: name, bytes: whole.length, sha256: identity.sha256(whole) });
    const all = { bytes: content.length, sha256: identity.sha256(content) };
    digests.set(name, all);
    torn = reader.tornBytes > 0 ? { path, keep: reader.goodBytes, bytes: reader.tornBytes } : undefined;
  }
  const damage = reader.damage?.reason ?? brokenSeal(seal, digests);
  return {
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
  { identity, disk, most }: Pick<StoragePorts, "identity" | "disk"> & { readonly most: number },
): Promise<readonly SessionEvent[] | undefined> {
  const [first] = await listSegments(folder);
  if (first === undefined) return undefined;
  const content = await disk.readPart(first.path, 0, openingBytes);
  if (content.length < openingBytes) return undefined;
  const reader = new ChainReader((bytes) => identity.sha256(bytes));
  const events = reader.push(content).map(({ event }) => event);
  const isWhole = reader.damage === undefined && !events.some(({ v }) => v > 1);
  return isWhole && events.length >= most ? events.slice(0, most) : undefined;
}

/**
 * A seal covers the segments as they were at its time; segments may have come after it, and none of its own
 * may have changed.
 */
function brokenSeal(
  seal: Seal | undefined,
  digests: ReadonlyMap<string, SegmentDigests>,
): string | undefined {
  for (const sealed of seal?.segments ?? []) {
    const present = digests.get(sealed.file);
    if (!present) return `segment ${sealed.file} is missing (the seal ends at event ${seal?.last_seq})`;
    if (present.bytes !== sealed.bytes || present.sha256 !== sealed.sha256) {
      return `segment ${sealed.file} was changed after the session was sealed at event ${seal?.last_seq}`;
    }
  }
  return undefined;
}

function refuseNewer(event: SessionEvent): void {
  const isNewer =
    event.v > 1 || (event.type === "session.started" && !/^[01]\./.test(event.data.format_version));
  if (!isNewer) return;
  throw new OperationalError("session-damaged", {
    forUser: `The session was written by a newer Kernelwright (event ${event.seq}). Update Kernelwright to open it.`,
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
  options: Pick<StoragePorts, "identity" | "clock" | "disk"> & { readonly signal: AbortSignal },
): Promise<void> {
  const reader = new ChainReader((bytes) => options.identity.sha256(bytes));
  const place: FollowPlace = { segment: 0, offset: 0 };
  while (!options.signal.aborted) {
    const events = await readMore(await listSegments(folder), place, { reader, disk: options.disk });
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
  { reader, disk }: Pick<StoragePorts, "disk"> & { readonly reader: ChainReader },
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (;;) {
    const segment = segments[place.segment];
    if (!segment) return events;
    const content = await disk.readPart(segment.path, place.offset, Infinity);
    place.offset += content.length;
    for (const { event } of reader.push(content)) events.push(event);
    // The list was made before the reading: a segment with a successor in it was complete by then.
    if (place.segment + 1 >= segments.length) return events;
    reader.endSegment();
    place.segment++;
    place.offset = 0;
  }
}
