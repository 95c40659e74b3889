import { expect, test } from "vitest";
import { fittedText } from "../../client/src/facts/fitted-text";
import { toneOf } from "../../client/src/facts/heat";

const atomics =
  "global atomics wait for each other: 16,384 passes, ideal 512, at worst 32 in one instruction";

test.each([
  { what: "a short line has all of it", fact: "32-way bank conflict: 8 wavefronts, ideal 1", length: 40 },
  {
    what: "a longer line has what fits, up to a joint",
    fact: atomics,
    length: 60,
    shown: "global atomics wait for each other: 16,384 passes",
  },
  {
    what: "a line that is too long has the head",
    fact: atomics,
    length: 118,
    shown: "global atomics wait for each other",
  },
  {
    what: "what stands in brackets goes as a whole",
    fact: "400 ns modelled (latency of memory) · 44 of 108 SMs idle",
    length: 90,
    shown: "400 ns modelled",
  },
  { what: "a fact in one piece stays whole", fact: "a single piece", length: 300 },
  {
    what: "tabs are as wide as they look",
    fact: "12% of the modelled cost · 640 warp instructions",
    length: 20,
    tabs: 20,
    shown: "12% of the modelled cost",
  },
  {
    what: "what stands before it always stands there, and takes room",
    fact: "uncoalesced load: 262,144 sectors, ideal 32,768",
    length: 62,
    before: "before your edits: ",
    shown: "before your edits: uncoalesced load: 262,144 sectors",
  },
])("behind a line: $what", ({ fact, length, tabs = 0, before = "", shown = fact }) => {
  expect(fittedText(fact, "\t".repeat(tabs) + "x".repeat(length - tabs), before)).toBe(shown);
});

test.each([
  [0.6, "plain", "hot"],
  [0.25, "plain", "hot"],
  [0.1, "plain", "warm"],
  [0.04, "fault", "quiet"],
  [0, "fault", "warm"],
  [0, "plain", "quiet"],
] as const)("a share of %d of the cost and a %s fact look %s", (share, kind, tone) => {
  expect(toneOf({ share, kind })).toBe(tone);
});
