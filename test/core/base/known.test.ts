import { describe, expect, it } from "vitest";
import { at, known, last, mustGet } from "../../../server/core/base/known";

interface Case {
  readonly name: string;
  readonly read: () => unknown;
  readonly value?: unknown;
  readonly fault?: string;
}

const cases: readonly Case[] = [
  { name: "a value that is there", read: () => known(0, "a count"), value: 0 },
  { name: "an undefined value", read: () => known(undefined, "a count"), fault: "missing: a count" },
  { name: "null", read: () => known(null, "a count"), fault: "missing: a count" },
  { name: "an element", read: () => at(["a", "b"], 1), value: "b" },
  { name: "an element of a typed array", read: () => at(new Uint8Array([7, 0]), 1), value: 0 },
  { name: "an index past the end", read: () => at(["a"], 1), fault: "no element 1 in a list of 1" },
  { name: "a negative index", read: () => at(["a"], -1), fault: "no element -1 in a list of 1" },
  { name: "a group of a match", read: () => at(/(a)b/.exec("ab") ?? [], 1), value: "a" },
  {
    name: "a group that took no part",
    read: () => at(/(a)?b/.exec("b") ?? [], 1),
    fault: "no element 1 in a list of 2",
  },
  { name: "the last element", read: () => last([1, 2, 3]), value: 3 },
  { name: "the last element of nothing", read: () => last([]), fault: "no element -1 in a list of 0" },
  { name: "an entry", read: () => mustGet(new Map([["k", ""]]), "k"), value: "" },
  {
    name: "a key that was never put in",
    read: () => mustGet(new Map<string, string>(), "k"),
    fault: "no entry for k",
  },
];

describe("what is known to be there", () => {
  it.each(cases)("$name", ({ read, value, fault }) => {
    if (fault === undefined) expect(read()).toEqual(value);
    else expect(read).toThrow(fault);
  });
});
