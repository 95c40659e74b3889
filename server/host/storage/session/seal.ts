import { join } from "node:path";
import * as z from "zod/mini";
import { objectOf, readJson } from "../../../core/base/shape";
import { writeWhole } from "../disk";
import type { StoragePorts } from "../storage-ports";
import type { ReadSession, SealedSegment } from "./read-session";
import { readTextIfThere, sealFile } from "./session-folder";

/** What a clean end fixes: the chain alone cannot tell that its last line was changed or cut off. */
export interface Seal {
  readonly last_seq: number;
  readonly head: string;
  readonly segments: readonly SealedSegment[];
  /** sha256 of the sorted hex digits of all blobs, one a line. */
  readonly blobs_sha256: string;
}

const sealShape = objectOf<Seal>()({
  last_seq: z.number(),
  head: z.string(),
  segments: z.array(objectOf<SealedSegment>()({ file: z.string(), bytes: z.number(), sha256: z.string() })),
  blobs_sha256: z.string(),
});

/** Writes seal.json over everything that the log holds now. */
export async function seal(
  folder: string,
  { log, blobs }: { readonly log: ReadSession; readonly blobs: readonly string[] },
  ports: Pick<StoragePorts, "identity">,
): Promise<void> {
  const value: Seal = {
    last_seq: log.nextSequence - 1,
    head: log.head,
    segments: log.segments,
    blobs_sha256: ports.identity.sha256(blobs.toSorted().join("\n")),
  };
  await writeWhole(join(folder, sealFile), `${JSON.stringify(value, undefined, 2)}\n`, ports.identity.ulid());
}

/**
 * The seal of a session, or undefined when it has none (or one that cannot be read: then it proves nothing).
 */
export async function readSeal(folder: string): Promise<Seal | undefined> {
  const text = await readTextIfThere(join(folder, sealFile));
  return text === undefined ? undefined : readJson(sealShape, text);
}
