import fc from "fast-check";

/**
 * Text of any code points, halves of surrogate pairs included. (fast-check's own unit for it takes seconds to
 * make a table of all of them.)
 */
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }),
);

/** How a tool call ends. */
const callEnd = fc.record({
  end: fc.constantFrom("returned", "lost", "never-made"),
  text: anyText,
  candidate: fc.boolean(),
  broken: fc.boolean(),
});

/** What a session does next. */
export const moveArbitrary = fc.oneof(
  fc.record({
    kind: fc.constant("say" as const),
    what: fc.constantFrom("message.system" as const, "message.user" as const, "message.injected" as const),
    text: anyText,
    asBlob: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("ask" as const),
    end: fc.constantFrom("replied", "replied", "failed", "lost"),
    text: fc.string(),
    asBlob: fc.boolean(),
    cost: fc.option(fc.integer({ min: 0, max: 1000 }).map((value) => value / 1000)),
    tokens: fc.option(fc.nat(100_000)),
    calls: fc.array(callEnd, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant("engine-call" as const),
    end: fc.constantFrom("returned", "lost"),
    text: fc.string(),
    candidate: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("candidate" as const), end: fc.constantFrom("correct", "wrong", "lost") }),
  fc.record({
    kind: fc.constant("note" as const),
    what: fc.constantFrom(
      "checkpoint",
      "budget",
      "limit",
      "loop",
      "rules",
      "environment",
      "unknown",
      "resume",
    ),
    text: fc.string(),
  }),
);

export type Move = typeof moveArbitrary extends fc.Arbitrary<infer Value> ? Value : never;
