import { columnsOf, shownColumns } from "../documents/line-width";

/** Between a line and its fact. */
const marginColumns = 3;

/** Where a fact may be cut, the less telling part behind it. */
const joints = /; | · |, |: | \(/g;

/**
 * As much of a fact as fits behind a line: all of it, else up to the last joint that fits, else up to its
 * first. A longer text would make the whole file scroll sideways; the hover has the rest. `before`: stands in
 * front of the fact whatever its length.
 */
export function fittedText(fact: string, line: string, before = ""): string {
  const room = shownColumns - marginColumns - before.length - columnsOf(line);
  const ends = [...fact.matchAll(joints)].map(({ index }) => index);
  const fitting = [...ends, fact.length].filter((end) => end <= room);
  const end = fitting.at(-1) ?? ends[0] ?? fact.length;
  return before + fact.slice(0, end);
}

/** The text of a line's fact where its share stands beside it already. */
export function withoutShare(text: string): string {
  return text.replace(/^[\d.]+% of the modelled cost( · )?/, "");
}
