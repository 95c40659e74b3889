import { expect, test } from "vitest";
import { z } from "zod";
import table from "../../../../server/core/vgpu/opcodes/table.json";
import { type Family, traitsOf } from "../../../../server/core/vgpu/opcodes/families";
import { instructionClasses } from "../../../../server/core/vgpu/opcodes/classes";
import { listForms } from "../../../../server/core/vgpu/opcodes/table";
import { modifierWords } from "../../../../server/core/vgpu/opcodes/modifiers";
import { findType } from "../../../../server/core/vgpu/ptx/types";

/** What may stand at a family in table.json; the compiler sees only that these are strings and flags. */
const written = {
  class: z.enum([...instructionClasses, "float", "comparison"]),
  operations: z.union([z.literal(1), z.literal(2)]).optional(),
  result: z.literal(false).optional(),
  accumulates: z.literal(true).optional(),
  access: z.enum(["load", "store", "update", "copy"]).optional(),
  observes: z.enum(["always", "result", "ordered"]).optional(),
  gathers: z.enum(["exchange", "order", "whole-warp"]).optional(),
  orders: z.enum(["fence", "copies"]).optional(),
  phase: z.enum(["change", "arrive", "wait", "copies"]).optional(),
  proxy: z.literal("async").optional(),
  asksHost: z.literal(true).optional(),
};
const flow = z.enum(["branch", "table", "barrier", "call", "enter", "leave", "return", "exit", "trap"]);
const form = z.strictObject({
  family: z.enum(Object.keys(traitsOf) as [Family, ...Family[]]),
  form: z.array(z.string().regex(/^\w+\??:[\w:|]+$/)),
  unordered: z.literal(true).optional(),
  carry: z.strictObject({ does: z.enum(["add", "subtract", "multiply-add"]), takes: z.boolean() }).optional(),
});
const schema = z.strictObject({
  families: z.strictObject({
    lanes: z.record(z.string(), z.strictObject(written)),
    warp: z.record(z.string(), z.strictObject(written)),
    control: z.record(z.string(), z.strictObject({ ...written, flow })),
  }),
  opcodes: z.record(z.string(), z.array(form).min(1)),
});

test("the opcode table has the shape that its readers take it to have", () => {
  expect(schema.safeParse(table).error?.issues).toBeUndefined();
});

test("a family that is misspelt is told by its name", () => {
  const opcodes = { ...table.opcodes, mov: [{ family: "mvoe", form: ["type:b32"] }] };
  expect(schema.safeParse({ ...table, opcodes }).error?.issues[0]?.path).toEqual([
    "opcodes",
    "mov",
    0,
    "family",
  ]);
});

/** Families that the compiler of the virtual GPU uses itself, for what no opcode stands for. */
const synthetic: readonly Family[] = [
  "load-part",
  "store-part",
  "frame-enter",
  "frame-leave",
  "stack-reset",
  "system-call",
  "call-procedure",
  "return-procedure",
];

test("every family has an opcode, or the compiler of the virtual GPU uses it itself", () => {
  const used = new Set<Family>([...listForms().map(({ family }) => family), ...synthetic]);
  expect((Object.keys(traitsOf) as Family[]).filter((family) => !used.has(family))).toEqual([]);
});

test("no family stands in two groups", () => {
  const names = Object.values(table.families).flatMap((group) => Object.keys(group));
  expect(names).toEqual([...new Set(names)]);
});

test("the words of the slots that somebody asks for stand in opcodes/modifiers.ts, and no others do", () => {
  const closed = Object.entries(modifierWords).flatMap(([slot, words]) =>
    words.map((word) => `${slot}:${word}`),
  );
  const slots = new Set(Object.keys(modifierWords));
  const used = listForms().flatMap((each) =>
    each.slots.flatMap(({ name, words }) =>
      slots.has(name) ? [...words].map((word) => `${name}:${word}`) : [],
    ),
  );
  expect([...new Set(used)].sort()).toEqual([...closed].sort());
});

test("every word of a slot for types is a type", () => {
  const slots = new Set([
    "type",
    "d",
    "a",
    "b",
    "c",
    "result",
    "sign",
    "first",
    "second",
    "rest",
    "coordinates",
  ]);
  const words = listForms().flatMap((each) =>
    each.slots
      .filter(({ name }) => slots.has(name))
      .flatMap(({ name, words: all }) => [...all].map((word) => `${name}:${word}`)),
  );
  expect(
    [...new Set(words)].filter((word) => findType(word.slice(word.indexOf(":") + 1)) === undefined),
  ).toEqual([]);
});
