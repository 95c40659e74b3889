import { diffArrays } from "diff";
import type { Outcome } from "../base/outcome";
import { carriedEdits, type CarryConflict, type Texts } from "./carry-over";
import { type FileEdit, splitLines } from "./line-edit";

/** One version of the files of a session: its baseline, a candidate, or what was accepted of one. */
export interface Version {
  readonly id: string;
  /** Every file that some version changes. */
  readonly texts: Texts;
}

/** More differing lines than this count as that many: such texts have little to do with each other. */
const differenceLimit = 2_000;

/**
 * The version that the present texts are made of: that which the fewest lines differ from; the first of
 * equals.
 */
export function standingVersion<Kind extends Version>(
  versions: readonly Kind[],
  present: Texts,
): Kind | undefined {
  let best: { readonly version: Kind; readonly distance: number } | undefined;
  for (const version of versions) {
    const distance = distanceOf(version.texts, present);
    if (best === undefined || distance < best.distance) best = { version, distance };
  }
  return best?.version;
}

/** The number of lines that were added or removed. */
function distanceOf(texts: Texts, present: Texts): number {
  let distance = 0;
  for (const [file, text] of Object.entries(texts)) {
    const parts = diffArrays(splitLines(text), splitLines(present[file] ?? ""), {
      maxEditLength: differenceLimit,
    });
    distance +=
      parts === undefined
        ? differenceLimit
        : parts.reduce((sum, { added, removed, value }) => sum + (added || removed ? value.length : 0), 0);
  }
  return distance;
}

/**
 * The edits that take the present texts to a version, with the user's own edits kept: what differs between
 * the version that they are made of and that one. The problem is every place where the user's edits are in
 * the way.
 */
export function editsBackTo(
  target: Version,
  versions: readonly Version[],
  present: Texts,
): Outcome<readonly FileEdit[], readonly CarryConflict[]> {
  const standing = standingVersion(versions, present) ?? target;
  return carriedEdits({ base: standing.texts, proposed: target.texts }, present);
}
