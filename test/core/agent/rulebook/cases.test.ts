import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { rules } from "../../../../server/core/agent/rulebook/index";
import { ruleEntries, ruleIds } from "../../../../server/core/agent/rulebook/rule-table";
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
 * Everything a rule says about a case: each proposal with its reason and the whole rewritten source, and each
 * guard that held it back.
 */
function report(id: string, path: string): string {
  const input = readCase(path, readFileSync(path, "utf8"), parse);
  const rule = rules.find((entry) => entry.id === id);
  const entry = ruleEntries().find((each) => each.id === id);
  if (rule === undefined || entry === undefined) throw new Error(`there is no rule ${id}`);
  const answers = rule.answer(input).map((answer) => {
    if (answer.kind === "not") return `not, line ${answer.line}: ${answer.because}: ${answer.sentence}\n`;
    const { evidence, tree } = answer;
    expect(Object.keys(tree)).toEqual(Object.keys(input.tree));
    expect(tree["kernels/other.txt"]).toBe("untouched");
    expect(entry.counters).toContain(evidence.counter);
    const head = [
      answer.hypothesis,
      evidence.sentence,
      `${evidence.file}:${evidence.line} ${evidence.counter} ${evidence.value} → ${evidence.ideal}, gain ${answer.gain.toFixed(3)}`,
    ];
    return `${head.join("\n")}\n---\n${tree[input.file] ?? ""}`;
  });
  return answers.join("\n===\n");
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

test("the table of the documentation is that of rules.json", () => {
  const page = join(folder, "../../../docs/rulebook.md");
  const text = readFileSync(page, "utf8");
  const rows = ruleEntries().map(
    ({ id, change, counters }) =>
      `| \`${id}\` | ${change} | ${counters.map((counter) => `\`${counter}\``).join(", ")} |`,
  );
  const table = ["| rule | what it changes | evidence |", "|---|---|---|", ...rows].join("\n");
  const shown = text.replace(/(?:^\|.*\|\n)+/m, () => `${table}\n`);
  if (update) writeFileSync(page, shown);
  expect(readFileSync(page, "utf8")).toBe(shown);
});
