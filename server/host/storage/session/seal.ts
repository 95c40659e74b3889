import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject } from "../../../core/base/json";
import { chainStart, parseLine } from "../../../core/trajectory/chain";
import type { Identity } from "../../../core/ports/identity";
import { onDisk, writeWhole } from "../disk";
import { listSegments, readTextIfThere, sealFile } from "./session-folder";

interface SealedSegment {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a clean end fixes: the chain alone cannot tell that its last line was changed or cut off. */
export interface Seal {
  readonly last_seq: number;
  readonly head: string;
  readonly segments: readonly SealedSegment[];
  /** sha256 of the sorted hex digits of all blobs, one a line. */
  readonly blobs_sha256: string;
}

/** Writes seal.json over everything that is in the folder now. */
export async function seal(folder: string, ports: { readonly identity: Identity }): Promise<void> {
  const segments: SealedSegment[] = [];
  const blobs = new Set<string>();
  let lastSequence = 0;
  let head = chainStart;
  for (const segment of await listSegments(folder)) {
    const content = await onDisk("read", segment.path, () => readFile(segment.path));
    segments.push({ file: segment.name, bytes: content.length, sha256: ports.identity.sha256(content) });
    for (
      let start = 0, end = content.indexOf(10);
      end >= 0;
      start = end + 1, end = content.indexOf(10, start)
    ) {
      const line = content.subarray(start, end);
      const event = parseLine(line);
      if (!event) continue;
      lastSequence = event.seq;
      head = ports.identity.sha256(line);
      event.blobs?.forEach((hex) => blobs.add(hex));
    }
  }
  const value: Seal = {
    last_seq: lastSequence,
    head,
    segments,
    blobs_sha256: ports.identity.sha256([...blobs].sort().join("\n")),
  };
  await writeWhole(join(folder, sealFile), `${JSON.stringify(value, undefined, 2)}\n`, ports.identity.ulid());
}

/**
 * The seal of a session, or undefined when it has none (or one that cannot be read: then it proves nothing).
 */
export async function readSeal(folder: string): Promise<Seal | undefined> {
  const text = await readTextIfThere(join(folder, sealFile));
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) &&
      typeof value.last_seq === "number" &&
      typeof value.head === "string" &&
      Array.isArray(value.segments)
      ? (value as unknown as Seal)
      : undefined;
  } catch {
    return undefined;
  }
}
