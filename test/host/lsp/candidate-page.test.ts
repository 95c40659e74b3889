import { expect, test } from "vitest";
import { invariant } from "../../../server/core/base/assert";
import type { CorrectVerdict, Verdict } from "../../../server/core/judge/verdict";
import { wholeVerdicts } from "../../../server/core/trajectory/proposal/whole-verdicts";
import { reduceSession } from "../../../server/core/trajectory/reduce";
import { shapeTable } from "../../../server/host/lsp/views/facts/grounds";
import { candidateDetail, candidateFigures } from "../../../server/host/lsp/views/convert-candidate";
import { toProgressView } from "../../../server/host/lsp/views/convert-progress";
import { makerOf } from "../../../server/host/services/recorded/maker-of";
import { runScripted } from "../../harness/agent-session";
import { scriptedStrategy } from "../../harness/scripted-strategy";

const telling = /^(#|Last|\*\*|\| counter|\| global|- )/;

test("the page of a candidate holds its verdict and what was counted, dropped ones too", async () => {
  const { log } = await runScripted(scriptedStrategy(["// bound 1500\n// sectors 32\n", "// wrong\n"]), {
    baseline: "// bound 1000\n",
  });
  const { candidates } = reduceSession(log.events);
  const verdicts = wholeVerdicts(log.events);
  const verdictOf = (id: string): Verdict | null => verdicts.get(id) ?? null;
  const pages = candidates.map((candidate) =>
    candidateDetail(
      candidate,
      { verdict: verdictOf(candidate.id), baseline: verdictOf("baseline"), maker: makerOf("refine:m-1") },
      candidates,
    ).split("\n"),
  );
  expect(pages.map((lines) => lines.filter((line) => telling.test(line)))).toEqual([
    [
      "# The baseline: 1 µs",
      "Last stage: correct",
      "**Correct on 2 cases (full check), modelled bound 1 µs on A100 (DRAM)**",
      "- k.cu:1: uncoalesced load: 64 sectors, ideal 32",
    ],
    [
      "# Candidate 1: 1.5 µs, +50%",
      "Last stage: correct · proposed by the model m-1",
      "**Correct on 1 case (quick check), modelled bound 1.5 µs on A100 (DRAM)**",
      "| counter | baseline | candidate 1 |",
      "| global load sectors | 64 | 32 |",
    ],
    [
      "# Candidate 2",
      "Last stage: launched · proposed by the model m-1",
      "**Wrong on shape n=64: y[3]: expected 1.5, got 2.5 (1 of 64 wrong, greatest error 1)**",
    ],
  ]);
});

test("what each shape costs stands before and after; a held-out one is not named", async () => {
  const { log } = await runScripted(scriptedStrategy(["// bound 900\n"]), { baseline: "// bound 1000\n" });
  const judged = wholeVerdicts(log.events).get("baseline");
  invariant(judged?.kind === "correct", "the baseline is correct");
  const [first, second] = judged.cases;
  invariant(first && second, "it was checked on two cases");
  const costs = (...times: readonly number[]): CorrectVerdict => ({
    ...judged,
    cases: [first, { ...second, shape: { sizes: { n: 7 }, heldOut: true } }],
    shapeCosts: times.map((nanoseconds, index) => ({ sizes: { n: [64, 7, 4096][index] ?? 0 }, nanoseconds })),
  });
  expect(shapeTable(costs(1000, 500, 8000), costs(1000, 625, 2000))).toEqual([
    "| modelled bound by shape | before | after | change |",
    "| --- | ---: | ---: | ---: |",
    "| n=64 | 1 µs | 1 µs | 0% |",
    "| hidden shape | 500 ns | 625 ns | +25% |",
    "| n=4096 | 8 µs | 2 µs | −75% |",
    "",
  ]);
  expect(shapeTable(costs(1000), costs(900))).toEqual([]);
  expect(shapeTable(judged, costs(1000, 625))).toEqual([]);
});

test.each([
  ["rulebook:cuda-pad-shared-tile", "by the rule “Pad the rows of a shared tile” (cuda-pad-shared-tile)"],
  ["rulebook:cuda-a-rule-that-is-no-more", "rulebook:cuda-a-rule-that-is-no-more"],
  ["refine:gpt-5:high", "proposed by the model gpt-5:high"],
  ["continued", "taken over from an earlier session"],
  ["test", "test"],
])("who made a candidate of the origin %s is told in words", (origin, words) => {
  expect(makerOf(origin)).toBe(words);
});

test("a candidate's figure is its bound and the change; where the bounds are equal, the counter that decided", async () => {
  const texts = [
    "// bound 1000\n// sectors 16\n",
    "// bound 1500\n// sectors 16\n",
    "// bound 1000\n// other\n",
    "// wrong\n",
  ];
  const { log } = await runScripted(scriptedStrategy(texts), { baseline: "// bound 1000\n" });
  const { candidates } = reduceSession(log.events);
  expect(candidates.map(candidateFigures(candidates))).toEqual([
    "1 µs",
    "1 µs, global sectors −75%",
    "1.5 µs, +50%",
    "1 µs, 0%",
    undefined,
  ]);
});

test("a dropped candidate without a simulated time is told by its bound, by name", async () => {
  const texts = ["// bound 900\n// simulated 2000\n", "// bound 1500\n"];
  const { log } = await runScripted(scriptedStrategy(texts), {
    baseline: "// bound 1000\n// simulated 2400\n",
  });
  const { candidates } = reduceSession(log.events);
  expect(candidates.map(candidateFigures(candidates))).toEqual([
    "2.4 µs simulated",
    "2 µs simulated, −17%",
    "modelled bound 1.5 µs, +50%",
  ]);
});

test("where the simulation knows all that counts, the figures of all candidates are its times", async () => {
  const texts = ["// bound 1000\n// simulated 2500\n", "// bound 800\n// simulated 5900\n"];
  const { log } = await runScripted(scriptedStrategy(texts), {
    baseline: "// bound 1000\n// simulated 6000\n",
  });
  const { candidates } = reduceSession(log.events);
  expect(candidates.map(candidateFigures(candidates))).toEqual([
    "6 µs simulated",
    "2.5 µs simulated, −58%",
    "5.9 µs simulated, −2%",
  ]);
  expect(toProgressView(reduceSession(log.events), false)).toMatchObject({
    figure: "2.5 µs simulated, −58%",
    scores: "█▄▄",
  });
});
