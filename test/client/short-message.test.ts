import { expect, test } from "vitest";
import { shortClaim, shortMessage } from "../../client/src/short-message";

const wrong =
  "wrong: not judged: what it rests on is partly guessed. With these guesses: wrong on shape n=1048576: out[120479]: expected -1.03, got NaN (2 of 1048576 wrong)";
const more =
  "; wrong are 2 elements spread from 120479 to 181919, each NaN; likely the race that was found; the first was written by thread (159, 0, 0) of block (470, 0, 0) on wrong.cu:5; the smallest shape found that fails so: n=1 (of 32 smaller ones that were run)";

test.each([
  { what: "a short one is shown whole", message: `${wrong}.`, shown: `${wrong}.` },
  { what: "a long one ends with its first clauses", message: `${wrong}${more}.`, shown: `${wrong} …` },
  {
    what: "and with what is to be done",
    message: `${wrong}${more}. Set up wrong and correct what was guessed.`,
    shown: `${wrong} … Set up wrong and correct what was guessed.`,
  },
  {
    what: "a short first clause is shown with words of the next one",
    message: `k at n=4096: grid 128, block 32; ${"a race between threads ".repeat(20)}`,
    shown: `k at n=4096: grid 128, block 32; ${"a race between threads ".repeat(8)}a race between …`,
  },
  {
    what: "one without clauses is cut",
    message: "x".repeat(400),
    shown: `${"x".repeat(320)} …`,
  },
])("of messages about a check $what", ({ message, shown }) => {
  expect(shortMessage(message)).toBe(shown);
});

test.each([
  {
    what: "figures that have room are shown",
    claim: "correct on 22 cases · simulated time 1.42 µs → 829 ns",
    shown: "correct on 22 cases · simulated time 1.42 µs → 829 ns",
  },
  {
    what: "figures that have none are left out whole",
    claim: "correct on 22 cases · simulated time 1.42 µs → 829 ns · modelled bound 749 ns → 400 ns",
    shown: "correct on 22 cases · simulated time 1.42 µs → 829 ns",
  },
  {
    what: "brackets go first",
    claim: "All 3 changes with your edits: correct on 2 cases (quick check)",
    shown: "All 3 changes with your edits: correct on 2 cases",
  },
  {
    what: "then what stands behind a comma",
    claim: "Your text without the changes: not checked yet, a check is running",
    shown: "Your text without the changes: not checked yet",
  },
  {
    what: "one without either is cut",
    claim: `The change in your text: ${"x".repeat(60)}`,
    shown: `The change in your text: ${"x".repeat(30)}…`,
  },
  {
    what: "what stands in brackets and what follows them are left out together",
    claim: "All 3 changes with your edits: correct on 2 cases (quick check), simulated time 4.56 µs",
    shown: "All 3 changes with your edits: correct on 2 cases",
  },
])("of a claim in the status bar $what", ({ claim, shown }) => {
  expect(shortClaim(claim)).toBe(shown);
});
