import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { deepSpelling, plainSpelling } from "../../../../server/core/agent/rulebook/cuda/spelling/index";
import { tritonSpellings } from "../../../../server/core/agent/rulebook/triton/spelling/index";
import type { RuleParse } from "../../../../server/core/agent/rulebook/rule";
import { readCase } from "./case-file";
import { ruleParse } from "./grammars";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../../cases/rulebook-spelling");
const names = readdirSync(folder).filter((name) => /\.(cu|py)$/.test(name));
let parse: RuleParse;

beforeAll(async () => {
  parse = await ruleParse();
});

test.each(names.map((name) => [name] as const))("%s is read in its plain spelling", (name) => {
  const path = join(folder, name);
  const input = readCase(path, readFileSync(path, "utf8"), parse);
  const before = input.tree[input.file] ?? "";
  const plain = input.dialect === "cuda" ? plainSpelling(input) : tritonSpellings(input).at(-1);
  const read = name.startsWith("deep-") ? deepSpelling(input, plain) : plain;
  const after = read?.tree[input.file] ?? "plain already\n";
  const expected = path.replace(/\.(cu|py)$/, ".out.txt");
  if (process.env["UPDATE_CASES"] === "1") writeFileSync(expected, after);
  expect(after).toBe(readFileSync(expected, "utf8"));
  if (after.includes("__global__")) expect(after.split("\n").length).toBe(before.split("\n").length);
});
