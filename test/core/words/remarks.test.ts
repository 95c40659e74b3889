import { expect, test } from "vitest";
import type { CheckedCase } from "../../../server/core/judge/verdict";
import { remarksOf } from "../../../server/core/words/names/refusal";

const first = "autotune of blur took its first configuration: WIDTH: 64";
const other = (kernel: string, number: number): string =>
  `autotune of ${kernel} took configuration ${number}: WIDTH: 9`;

function checked(passed: boolean, ...remarks: readonly string[]): CheckedCase {
  return { shape: { sizes: {} }, passed, tolerance: { absolute: 0, relative: 0 }, findings: [], remarks };
}

test.each<[string, readonly CheckedCase[], readonly string[]]>([
  ["nothing", [checked(true)], []],
  ["each sentence once", [checked(true, "no races"), checked(true, "no races")], ["no races"]],
  [
    "how many configurations were judged",
    [
      checked(true, first),
      checked(true, other("blur", 2)),
      checked(true, other("blur", 3)),
      checked(true, other("fold", 2)),
    ],
    [first, "2 further configurations of blur were judged", "1 further configuration of fold was judged"],
  ],
  [
    "the configuration that failed",
    [checked(true, first), checked(true, other("blur", 2)), checked(false, other("blur", 3))],
    [first, other("blur", 3), "1 further configuration of blur was judged"],
  ],
])("remarks on cases tell %s", (_, cases, told) => {
  expect(remarksOf(cases)).toEqual(told);
});
