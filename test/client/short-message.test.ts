import { expect, test } from "vitest";
import { shortMessage } from "../../client/src/short-message";

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
    what: "one without clauses is cut",
    message: "x".repeat(400),
    shown: `${"x".repeat(320)} …`,
  },
])("of messages about a check $what", ({ message, shown }) => {
  expect(shortMessage(message)).toBe(shown);
});
