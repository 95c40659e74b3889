import { expect, test } from "vitest";
import { describeConflicts } from "../../../server/core/review/carry-over";
import { editsBackTo, standingVersion } from "../../../server/core/review/checkpoint";
import { applyEdits } from "../../../server/core/review/line-edit";

const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;
const baseline = text("one", "two", "three", "four", "five", "six");
const first = text("one", "2", "three", "four", "five", "six");
const second = text("zero", "2", "three", "four", "5", "six");
const versions = [
  { id: "baseline", texts: { "k.cu": baseline } },
  { id: "c1", texts: { "k.cu": first } },
  { id: "c3", texts: { "k.cu": second } },
];

interface Case {
  readonly name: string;
  readonly present: string;
  readonly standing: string;
  /** What the texts are at each checkpoint, or where the user's edits are in the way. */
  readonly back: Readonly<Record<string, string>>;
}

const own = (present: string): string => present.replace("four\n", "four\nmine\n");

const cases: readonly Case[] = [
  {
    name: "all was accepted",
    present: second,
    standing: "c3",
    back: { baseline, c1: first, c3: second },
  },
  {
    name: "all was accepted, and a line of the user's stands beside it",
    present: own(second),
    standing: "c3",
    back: { baseline: own(baseline), c1: own(first), c3: own(second) },
  },
  {
    name: "nothing was accepted",
    present: own(baseline),
    standing: "baseline",
    back: { baseline: own(baseline), c1: own(first), c3: own(second) },
  },
  {
    name: "the user changed a line of the newest step",
    present: second.replace("5\n", "five!\n"),
    standing: "c3",
    back: { baseline: "k.cu:5", c1: "k.cu:5", c3: second.replace("5\n", "five!\n") },
  },
  {
    name: "line ends are Windows'",
    present: first.replaceAll("\n", "\r\n"),
    standing: "c1",
    back: { baseline: baseline.replaceAll("\n", "\r\n"), c3: second.replaceAll("\n", "\r\n") },
  },
];

test.each(cases)("checkpoints: $name", ({ present, standing, back }) => {
  expect(standingVersion(versions, { "k.cu": present })?.id).toBe(standing);
  const found = versions
    .filter(({ id }) => id in back)
    .map((target) => {
      const edits = editsBackTo(target, versions, { "k.cu": present });
      return [target.id, edits.ok ? applyEdits(present, edits.value) : describeConflicts(edits.problem)];
    });
  expect(Object.fromEntries(found)).toEqual(back);
});
