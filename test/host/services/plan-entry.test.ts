import { expect, test } from "vitest";
import type { EntryFunction } from "../../../server/core/language/cuda/entry/entry-functions";
import type { EntryProbes } from "../../../server/host/services/workload/entries/entry-session";
import { plannedArgument, withTypes } from "../../../server/host/services/workload/entries/plan-entry";

const parameter = { kind: "buffer", name: "bytes", isConst: true } as EntryFunction["parameters"][number];

interface Elements {
  readonly elementBytes: number;
  readonly isFloat: boolean;
}
const floats = { elementBytes: 4, isFloat: true };
const words = { elementBytes: 4, isFloat: false };

/** Calls that read so many bytes of a `void *`, and by which elements. */
function check(ends: readonly number[], { elementBytes, isFloat }: Elements): string {
  const observations = ends.map((to) => ({
    buffers: [{ name: "bytes", read: { from: 0, to, bytes: to }, elementBytes, isFloat }],
  }));
  const probes = { settings: [], observations } as unknown as EntryProbes;
  const entry = { parameters: [parameter] } as unknown as EntryFunction;
  const [typed] = withTypes([plannedArgument(parameter, undefined)], { entry, probes });
  return typed?.kind === "buffer" ? typed.type.dtype : "";
}

test.each<[string, readonly number[], Elements, string]>([
  ["floats", [64, 120], floats, "float32"],
  ["halves, which are loaded as bits", [64, 122], { elementBytes: 2, isFloat: false }, "float16"],
  ["words", [64, 120], words, "int32"],
  ["words, of which a call ends within one: pixels of three bytes", [64, 45], words, "uint8"],
  ["a copy of which nobody knows the elements", [9, 21], floats, "uint8"],
  ["no call", [], floats, "float32"],
])("a void pointer to %s", (_title, ends, elements, dtype) => expect(check(ends, elements)).toBe(dtype));
