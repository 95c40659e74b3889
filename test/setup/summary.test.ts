import { expect, it } from "vitest";
import { type SectionResult, summaryOf } from "../../server/setup/support/summary.mjs";

const PASSED: SectionResult = {
  name: "fast",
  title: "quick ones",
  code: 0,
  duration: "9.1 s",
  output: "fine\n",
};

function failed(output: string): SectionResult {
  return { name: "editor", title: "in a window", code: 1, duration: "91.4 s", output };
}

/** @param count lines that say their number, from 1 on */
function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
}

const PASSED_LINE = "✓ fast           9.1 s  quick ones";
const FAILED_LINE = "✗ editor        91.4 s  in a window";

const table = [
  {
    what: "all passed: a line for each",
    results: [PASSED],
    said: ["", "━━ summary", PASSED_LINE, "sections: 1 passed, 0 failed", ""],
  },
  {
    what: "a failed section's output stands at the end as well",
    results: [failed("× a case\nExpected 1\n\n"), PASSED],
    said: [
      ...["", "━━ editor failed, once more", "× a case", "Expected 1"],
      ...["", "━━ summary", FAILED_LINE, PASSED_LINE, "sections: 1 passed, 1 failed", ""],
    ],
  },
  {
    what: "of a long output its last lines",
    results: [failed(lines(100))],
    said: [
      ...["", "━━ editor failed, its last 60 lines once more", ...lines(100).trim().split("\n").slice(40)],
      ...["", "━━ summary", FAILED_LINE, "sections: 0 passed, 1 failed", ""],
    ],
  },
  {
    what: "and the first failure, which others may follow from",
    results: [failed(`${lines(9)}\u001b[41m FAIL \u001b[49m a case\nExpected 1\n${lines(69)}`)],
    said: [
      ...["", "━━ editor failed first with", "\u001b[41m FAIL \u001b[49m a case", "Expected 1"],
      ...lines(9).trim().split("\n"),
      ...["", "━━ editor failed, its last 60 lines once more", ...lines(69).trim().split("\n").slice(9)],
      ...["", "━━ summary", FAILED_LINE, "sections: 0 passed, 1 failed", ""],
    ],
  },
  {
    what: "what was seen as it came is not said again",
    results: [failed("")],
    said: ["", "━━ summary", FAILED_LINE, "sections: 0 passed, 1 failed", ""],
  },
];

for (const { what, results, said } of table)
  it(what, () => expect(summaryOf(results).split("\n")).toEqual(said));
