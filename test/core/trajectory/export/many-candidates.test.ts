import { expect, test } from "vitest";
import { candidatesSection } from "../../../../server/core/trajectory/export/markdown-evidence";
import { reduceSession } from "../../../../server/core/trajectory/reduce";
import { runScripted } from "../../../harness/agent-session";
import { scriptedStrategy } from "../../../harness/scripted-strategy";

/** So many versions, of which the tenth and the twentieth are gains. */
async function linesFor(candidates: number): Promise<readonly string[]> {
  const texts = Array.from({ length: candidates }, (_, index) => {
    const number = index + 1;
    const bound = number % 10 === 0 && number <= 20 ? 900 - 10 * number : 1500;
    return `// bound ${bound}\n// version ${number}\n`;
  });
  const budget = { usd: 1, minutes: 10, candidates };
  const { log } = await runScripted(scriptedStrategy(texts), { baseline: "// bound 1000\n", budget });
  return candidatesSection(reduceSession(log.events), (text) => text).split("\n");
}

test("where there are many candidates the report begins with those that became the best", async () => {
  const many = await linesFor(45);
  expect(many.slice(0, 9)).toEqual([
    "## Candidates",
    "",
    "### The way to the best",
    "",
    "| Candidate | What it gained | Hypothesis |",
    "| --- | --- | --- |",
    "| candidate 10 | faster than the baseline: modelled bound 1 µs → 800 ns (20% less) | try 10 |",
    "| candidate 20 | faster than candidate 10: modelled bound 800 ns → 700 ns (13% less) | try 20 |",
    "",
  ]);
  expect(many.slice(9, 14)).toEqual([
    "### All of them",
    "",
    "| Candidate | Parent | Reached | State | Why | Hypothesis | From |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    "| the baseline |   | correct | accepted | correct on 2 cases (full check), modelled bound 1 µs on A100 (DRAM) | baseline | baseline |",
  ]);
  expect(many).toHaveLength(13 + 46);
  expect((await linesFor(20)).slice(0, 3)).toEqual([
    "## Candidates",
    "",
    "| Candidate | Parent | Reached | State | Why | Hypothesis | From |",
  ]);
});
