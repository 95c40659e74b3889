import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../server/core/base/json";
import { readReturned } from "../../../server/host/worker/triton/captured-launch";
import { countIn, flagIn, listIn, objectIn, textIn } from "../../../server/host/worker/transport/read-json";

const view = { buffer: 0, offset: 0, dtype: "float32", shape: [2, 3], strides: [3, 1] };

/** Readers on values that they refuse, with the end of the message. */
const cases: readonly (readonly [name: string, read: () => Json | object, fault: string])[] = [
  ["a text that is missing", () => textIn({}, "name"), "name: expected text, found nothing"],
  ["a count below zero", () => countIn({ warps: -1 }, "warps"), "warps: expected 0 or more, found -1"],
  ["half a count", () => countIn({ warps: 1.5 }, "warps"), "warps: expected a whole number, found 1.5"],
  ["a flag that is a text", () => flagIn({ on: "yes" }, "on"), 'on: expected true or false, found "yes"'],
  [
    "a list that is an object",
    () => listIn({ all: {} }, "all") as Json,
    "all: expected a list, found an object",
  ],
  ["an object that is a list", () => objectIn([], "reply"), "reply: a list is not what belongs here"],
  [
    "a view without a buffer",
    () => readReturned({ ...view, buffer: -1 }),
    "buffer: expected 0 or more, found -1",
  ],
  [
    "a size that is a text",
    () => readReturned({ ...view, shape: ["2", 3] }),
    'shape[0]: expected a number, found "2"',
  ],
  [
    "a view with a stride too few",
    () => readReturned({ ...view, strides: [1] }),
    "the worker returned a tensor of 2 axes with 1 strides",
  ],
];

describe("what a worker sent", () => {
  it.each(cases)("refuses %s", (_, read, fault) => {
    expect(read).toThrow(
      expect.objectContaining({
        code: "worker-protocol",
        message: expect.stringContaining(fault) as string,
      }) as Error,
    );
  });

  it("gives values in their types", () => {
    const holder: JsonObject = { name: "k", warps: 4, on: false, all: [1, null], later: 7 };
    expect([
      textIn(holder, "name"),
      countIn(holder, "warps"),
      flagIn(holder, "on"),
      listIn(holder, "all"),
    ]).toEqual(["k", 4, false, [1, null]]);
    expect(readReturned(view)).toEqual(view);
  });
});
