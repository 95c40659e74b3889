import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { rules } from "../../../../server/core/agent/rulebook/index";
import { ruleIds } from "../../../../server/core/agent/rulebook/rule-table";
import type { RuleParse } from "../../../../server/core/agent/rulebook/rule";
import { readCase } from "./case-file";
import { ruleParse } from "./grammars";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../../cases/rulebook");
const update = process.env["UPDATE_CASES"] === "1";
let parse: RuleParse;

beforeAll(async () => {
  parse = await ruleParse();
});

/**
 * Everything a rule says about a case: no proposal, or each with its reason and the whole rewritten source.
 */
function report(rule: string, path: string): string {
  const input = readCase(path, readFileSync(path, "utf8"), parse);
  const proposals = rules.find((entry) => entry.id === rule)?.propose(input) ?? [];
  if (proposals.length === 0) return "no proposal\n";
  return proposals
    .map((proposal) => {
      const { evidence, tree } = proposal;
      expect(Object.keys(tree)).toEqual(Object.keys(input.tree));
      expect(tree["kernels/other.txt"]).toBe("untouched");
      const head = [
        proposal.hypothesis,
        evidence.sentence,
        `${evidence.file}:${evidence.line} ${evidence.counter} ${evidence.value} → ${evidence.ideal}, gain ${proposal.gain.toFixed(3)}`,
      ];
      return `${head.join("\n")}\n---\n${tree[input.file] ?? ""}`;
    })
    .join("\n===\n");
}

function check(rule: string, name: string): void {
  const path = join(folder, rule, name);
  const expected = path.replace(/\.(cu|py)$/, ".out.txt");
  const actual = report(rule, path);
  if (update) writeFileSync(expected, actual);
  expect(actual).toBe(readFileSync(expected, "utf8"));
}

describe.each(ruleIds().map((id) => [id] as const))("%s", (rule) => {
  const names = existsSync(join(folder, rule))
    ? readdirSync(join(folder, rule))
        .filter((name) => /\.(cu|py)$/.test(name))
        .sort()
    : [];

  test("has cases in which it fires and in which it does not", () => {
    const firing = names.filter((name) => !name.startsWith("not-"));
    expect([firing.length > 0, names.length > firing.length]).toEqual([true, true]);
  });

  test.each(names.map((name) => [name] as const))("%s", (name) => {
    check(rule, name);
  });
});

test("the table and the rules name each other", () => {
  expect(rules.map((rule) => rule.id).sort()).toEqual([...ruleIds()].sort());
});

test("the documentation has a line for each rule", () => {
  const text = readFileSync(join(folder, "../../../docs/rulebook.md"), "utf8");
  expect([...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1]).sort()).toEqual(
    [...ruleIds()].sort(),
  );
});
