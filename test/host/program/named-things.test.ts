import { expect, test } from "vitest";
import { NamedThings } from "../../../server/host/program/device/host/named-things";

/** How a call names what it uses; `left` is there from earlier calls, `made` is its own. */
function names(left: readonly string[], made: readonly string[], used: readonly string[]): readonly string[] {
  const all = [...left];
  const things = new NamedThings(() => all);
  all.push(...made);
  return used.map((each) => things.name(each));
}

test.each([
  ["in the order of use", [], ["a", "b"], ["a", "b", "a"], ["0 behind 0", "1 behind 0", "0"]],
  ["another of two", [], ["a", "b"], ["b", "a"], ["0 behind 1", "1 behind 0"]],
  ["whatever a program has not freed", ["x", "y", "z"], ["a", "b"], ["a", "b"], ["0 behind 0", "1 behind 0"]],
  ["one of those kept from before", ["x", "y"], ["a"], ["y"], ["0 behind 1 of an earlier call"]],
] as const)("things are named %s", (_, left, made, used, expected) => {
  expect(names(left, made, used)).toEqual(expected);
});
