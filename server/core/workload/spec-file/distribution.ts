import * as z from "zod/mini";
import { described, notes } from "../../base/shape";
import type { Distribution, FiguredDistribution, PlainDistribution, SizeExpression } from "../spec";
import { guessOf, mustBe, strictOf } from "./words";

const plain = {
  normal: "normal",
  uniform: "uniform",
  "zero-one": "zero-one",
  integers: "integers",
  positive: "positive",
  sorted: "sorted",
  permutation: "permutation",
} as const satisfies Readonly<Record<PlainDistribution, PlainDistribution>>;

const isFigure = mustBe("a number or an expression over the sizes");
const figure: z.ZodMiniType<SizeExpression> = z
  .union([z.number(), z.string().check(z.regex(/\S/))], isFigure)
  .register(notes, { id: "figure", description: "A number or an expression over the sizes." });
const number = z.number(mustBe("a number"));

const isShare = mustBe("a number above 0 and up to 1");
const share = z.number(isShare).check(z.gt(0, isShare), z.lte(1, isShare));

/** Of one byte each, and none that ends a text. */
const letters = z.string(mustBe("letters")).check(z.regex(/^[\x01-\x7f]+$/, mustBe("letters of ASCII")));

type Figured<Kind extends FiguredDistribution["kind"]> = Extract<FiguredDistribution, { kind: Kind }>;
const kinds = ["range", "skewed", "offsets", "permutation", "constant", "letters", "recorded"] as const;
const words = `"distribution" must be one of ${Object.keys(plain).join(", ")}, or an object whose "kind" is one of ${kinds.join(", ")}`;

const figured = z.discriminatedUnion(
  "kind",
  [
    strictOf<Figured<"range">>()(
      {
        kind: z.literal("range"),
        low: figure,
        high: figure,
        sorted: z.optional(z.boolean(mustBe("true or false"))),
      },
      words,
    ),
    strictOf<Figured<"skewed">>()(
      { kind: z.literal("skewed"), low: figure, high: figure, exponent: number },
      words,
    ),
    strictOf<Figured<"offsets">>()({ kind: z.literal("offsets"), total: figure }, words),
    strictOf<Figured<"permutation">>()({ kind: z.literal("permutation"), first: number }, words),
    strictOf<Figured<"constant">>()({ kind: z.literal("constant"), value: number }, words),
    strictOf<Figured<"letters">>()({ kind: z.literal("letters"), letters }, words),
    strictOf<Figured<"recorded">>()({ kind: z.literal("recorded"), within: z.optional(share) }, words),
  ],
  words,
);

const either: z.ZodMiniType<Distribution> = z.union([z.enum(plain), figured], {
  error: ({ input }) => `${words}${guessOf(input, Object.keys(plain))}`,
});

/** How the values of an input are drawn. */
export const distribution = described(
  either,
  'How values are drawn; normal when left out. "permutation": each number from 0 to below the length once. "recorded": what a program handed to the kernel.',
);
