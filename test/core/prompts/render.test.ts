import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type PromptName, promptNames } from "../../../server/core/prompts/names";
import { fenced, promptTexts, renderPrompt } from "../../../server/core/prompts/render";
import { readPromptFiles } from "../../../server/host/model/prompt-files";
import { expectCase } from "../../harness/cases";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../../server/core/prompts");
const files = await readPromptFiles(folder);
const texts = promptTexts(files);

/** A value for each field of each prompt; the compiler asks for a new line here with a new prompt. */
const examples: Record<PromptName, Readonly<Record<string, string>>> = {
  "refine-system": {},
  "refine-task": {
    kernel: "transpose",
    dialect: "cuda",
    file: "transpose.cu",
    target: "vgpu:sm_80",
    editable: "transpose.cu",
    budget: "24 candidates, 10 minutes, 1.00 USD",
    spec: fenced("{}", "json"),
    gpu: "A100: 108 multiprocessors",
    model: "How the number is made.",
    roofline: "2 MiB to read and to write once",
    start: "The baseline",
    verdict: "It is correct on 4 cases.",
    costs: "Modelled bound on A100: 5 µs. What binds: dram.",
    sizes: "rows=256 columns=256",
    counters: "| line |",
    source: "The file:\n\n```cuda\n__global__ void k();\n```",
    past: "| p1/c1 |",
  },
  "mend-task": {
    ...{ kernel: "transpose", dialect: "cuda", file: "transpose.cu", target: "vgpu:sm_80" },
    editable: "transpose.cu",
    budget: "24 candidates, 10 minutes, 1.00 USD",
    spec: fenced("{}", "json"),
    verdict: "It is wrong.",
    gpu: "A100: 108 multiprocessors",
    model: "How the number is made.",
    source: "The file:\n\n```cuda\n__global__ void k();\n```",
    past: "| p1/c1 |",
  },
  "cost-model": { gap: "1 µs" },
  "refine-no-tool": {},
  "refine-cut-off": { tokens: "8192" },
  "refine-repeated": { times: "3" },
  "refine-hurry": { turns: "12", limit: "24" },
  "refine-resumed": {
    candidates: "- c1: kept, correct: pad the tile",
    best: "c1",
    scratch: "your edits on c1",
    budget: "3 candidates",
  },
  "refine-anew": { best: "c1", scratch: "c2", tried: "Nothing was tried yet." },
  "search-round": {
    round: "2",
    parent: "c3",
    best: "c1",
    number: "5.4 µs",
    tried: "Nothing was tried yet.",
    partner: "There is no version of another kind yet.",
    mode: "There is budget for a step that may fail.",
  },
  "judge-system": {},
  "judge-task": {
    ...{ kernel: "transpose", file: "transpose.cu", target: "vgpu:sm_80", candidate: "c1" },
    model: "How the number is made.",
    costs: "Modelled bound on A100: 5 µs. What binds: dram.",
    sizes: "rows=256 columns=256",
    counters: "| line |",
    names: "- dram: a term of the bound, 5 µs",
    tried: "Nothing was tried yet.",
    source: "```cuda\n__global__ void k();\n```",
  },
  "judge-note": {
    candidate: "c1",
    bottleneck: "the term `dram`, 5 µs of a bound of 5 µs",
    because: "Each row is read twice.",
    advice: "Keep it in registers.",
  },
  "planner-system": {},
  "planner-task": {
    file: "transpose.cu",
    versions: "- `c1`: 5 µs, bound by dram: pad the tile",
    tried: "Nothing was tried yet.",
    budget: "3 candidates",
  },
  "planner-note": { candidate: "c1", because: "It is bound by latency.", idea: "Load wider." },
  "tester-system": {},
  "tester-task": {
    ...{ kernel: "transpose", file: "transpose.cu", candidate: "c1", hypothesis: "pad the tile" },
    spec: fenced("{}", "json"),
    ...{ cases: "8", growth: "10", most: "1000", special: "infinite, tiny", launches: "" },
    before: "```cuda\n__global__ void k();\n```",
    after: "```cuda\n__global__ void k();\n```",
    earlier: "- rows=3: passed",
  },
  "command-system": {},
  "command-task": {
    name: "cycles",
    better: "lower",
    build: "make",
    check: "none",
    measure: "./sim",
    runs: "3",
    editable: "- src/sim.c",
    creatable: "src/**/*.c",
    budget: "24 candidates",
    baseline: "It passes the checks: 900 cycles.",
    best: "",
    tried: "Nothing was tried yet.",
    past: "Earlier sessions on this target: p1.",
  },
  "refine-shortened": { name: "read_file", characters: "9000", call: "call_1_1", beginning: "1 __global__" },
};

for (const name of promptNames) {
  test(`${name} reads as it did`, () => {
    expectCase(`prompts/${name}.json`, renderPrompt(texts[name], examples[name]).split("\n"));
  });
}

test("every text in the folder has a name, and every name a text", () => {
  const there = readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.slice(0, -".md".length));
  expect(there.sort()).toEqual([...promptNames].sort());
  expect(() => promptTexts({ ...files, ["refine-task"]: undefined } as never)).toThrow(
    "refine-task.md is missing",
  );
});

test("fields that are missing or unknown are errors, and values are not looked at again", () => {
  expect(() => renderPrompt("{{a}} {{b}}", { a: "1" })).toThrow("needs the fields b");
  expect(() => renderPrompt("{{a}}", { a: "1", c: "2" })).toThrow("has no fields c");
  expect(renderPrompt("{{a}} {{b}}", { a: "{{b}} $& $1", b: "x" })).toBe("{{b}} $& $1 x");
});

test("nothing in a text can close its fence", () => {
  expect(fenced("a\n```\nb\n````\n")).toBe("`````\na\n```\nb\n````\n`````");
});
