import * as z from "zod/mini";
import { described, notes } from "../../base/shape";
import type { ShapeCase, Tolerance } from "../spec";
import { named } from "./tensors";
import { expected, mustBe, strictOf, textOf } from "./words";

const isSize = mustBe("a whole number, zero or more");
const isWeight = mustBe("a number above zero");

function hashes(description: string) {
  const isHash = mustBe("the sha256 of a recording");
  const hash = z.string(isHash).check(z.regex(/^[0-9a-f]{64}$/, isHash));
  const each = z.record(z.string(), hash, mustBe("an object: NAME → the sha256 of a recording"));
  return described(each, description);
}

export const sizes = named(z.int(isSize).check(z.gte(0, isSize)), "an object: NAME → whole number");

export const shapeCase = strictOf<ShapeCase>()(
  {
    sizes,
    heldOut: described(
      z.boolean(mustBe("true or false")),
      "Never shown to the agent; used for the full verdict only.",
    ),
    values: described(
      z.record(z.string(), z.number(mustBe("a number")), mustBe("an object: NAME → a number")),
      "Scalar arguments that are no sizes, by name.",
    ),
    recorded: hashes("sha256 of each recorded input."),
    results: hashes("sha256 of each output after the recorded launch."),
    weight: described(
      z.number(isWeight).check(z.gt(0, isWeight)),
      "How often a program ran this case; 1 when left out.",
    ),
  },
  '{ "sizes": { "n": 1024 } }',
);

const expressionWords = textOf("a numpy expression over the inputs and sizes");
export const reference = z
  .union(
    [
      z.literal("baseline"),
      z
        .string()
        .check(z.regex(/^[^:]+\.py::[A-Za-z_][\w.]*$/))
        .register(notes, {
          description: "FILE.py::FUNCTION, the file relative to the folder of this spec.",
        }),
      strictOf<{ readonly expressions: Readonly<Record<string, string>> }>()(
        {
          expressions: z.record(
            z.string(),
            expressionWords,
            expected("an object: OUTPUT → numpy expression"),
          ),
        },
        '{ "expressions": { … } }',
      ),
    ],
    '"reference" must be "baseline", "FILE.py::FUNCTION" or { "expressions": { OUTPUT: "numpy expression" } }',
  )
  .register(notes, {
    description:
      "What is right: a Python function on float64 arrays, one numpy expression for each output, or the baseline.",
  });

const isLimit = mustBe("a number, zero or more");
const limit = z.number(isLimit).check(z.gte(0, isLimit));
export const tolerance = strictOf<Tolerance>()(
  { absolute: limit, relative: limit },
  '{ "absolute": 1e-5, "relative": 1e-4 }',
);
