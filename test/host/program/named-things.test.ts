import { expect, test } from "vitest";
import { NamedThings } from "../../../server/host/program/device/host/named-things";

/** How a call names what it uses; `left` is there from earlier calls, `made` is its own. */
function names(left: readonly string[], made: readonly string[], used: readonly string[]): readonly string[] {
  const all = [...left];
  const things = new NamedThings(() => all);
  all.push(...made);
  return used.map((each) => things.name(each));
}

interface Named {
  readonly title: string;
  readonly left?: readonly string[];
  readonly made: readonly string[];
  readonly used: readonly string[];
  readonly expected: readonly string[];
}

const cases: readonly Named[] = [
  {
    title: "in the order of use",
    made: ["a", "b"],
    used: ["a", "b", "a"],
    expected: ["0 behind 0", "1 behind 0", "0"],
  },
  { title: "another of two", made: ["a", "b"], used: ["b", "a"], expected: ["0 behind 1", "1 behind 0"] },
  {
    title: "whatever a program has not freed",
    left: ["x", "y", "z"],
    made: ["a", "b"],
    used: ["a", "b"],
    expected: ["0 behind 0", "1 behind 0"],
  },
  {
    title: "one of those kept from before",
    left: ["x", "y"],
    made: ["a"],
    used: ["y"],
    expected: ["0 behind 1 of an earlier call"],
  },
];

test.each(cases)("things are named: $title", ({ left = [], made, used, expected }) => {
  expect(names(left, made, used)).toEqual(expected);
});
