import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { deepSpelling, plainSpelling } from "../../../../server/core/agent/rulebook/cuda/spelling/index";
import { launchesApart } from "../../../../server/core/agent/rulebook/cuda/spelling/launches/index";
import { tritonSpellings } from "../../../../server/core/agent/rulebook/triton/spelling/index";
import type { RuleInput, RuleParse, RuleProposal } from "../../../../server/core/agent/rulebook/rule";
import { readCase } from "./case-file";
import { ruleParse } from "./grammars";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../../cases/rulebook-spelling");
const names = readdirSync(folder).filter((name) => /\.(cu|py)$/.test(name));
let parse: RuleParse;

beforeAll(async () => {
  parse = await ruleParse();
});

/** How a case is read, by how its name begins. */
const readings: readonly (readonly [lead: string, read: (input: RuleInput) => RuleInput | undefined])[] = [
  ["deep-", (input) => deepSpelling(input, plainSpelling(input))],
  ["launch-", (input) => launchesApart(input).input],
  ["", (input) => (input.dialect === "cuda" ? plainSpelling(input) : tritonSpellings(input).at(-1))],
];

test.each(names.map((name) => [name] as const))("%s is read in its plain spelling", (name) => {
  const path = join(folder, name);
  const input = readCase(path, readFileSync(path, "utf8"), parse);
  const before = input.tree[input.file] ?? "";
  const read = readings.find(([lead]) => name.startsWith(lead))?.[1](input);
  const after = read?.tree[input.file] ?? "plain already\n";
  const expected = path.replace(/\.(cu|py)$/, ".out.txt");
  if (process.env["UPDATE_CASES"] === "1") writeFileSync(expected, after);
  expect(after).toBe(readFileSync(expected, "utf8"));
  if (after.includes("__global__") && !name.includes("bare"))
    expect(after.split("\n").length).toBe(before.split("\n").length);
});

test.each(names.filter((name) => name.startsWith("launch-")).map((name) => [name] as const))(
  "what is written out of %s goes back to where it was",
  (name) => {
    const path = join(folder, name);
    const input = readCase(path, readFileSync(path, "utf8"), parse);
    const { input: apart, finished } = launchesApart(input);
    const proposal: RuleProposal = {
      kind: "proposal",
      tree: apart.tree,
      hypothesis: "Nothing.",
      evidence: { file: input.file, line: 1, counter: "instructions", value: 1, ideal: 1, sentence: "" },
      gain: 1,
    };
    expect(finished(proposal)).toEqual({ ...proposal, tree: input.tree });
  },
);
