import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { rules } from "../../../../server/core/agent/rulebook/index";
import type { RuleInput, RuleParse } from "../../../../server/core/agent/rulebook/rule";
import { noCounters, sumCounters } from "../../../../server/core/timing/counters";
import type { ArgumentSpec, KernelSpec, ShapeCase, TensorSpec } from "../../../../server/core/workload/spec";
import { drawsAll } from "../../../harness/draws";
import { ruleParse } from "./grammars";

const project = join(dirname(fileURLToPath(import.meta.url)), "../../../..");
const samples = join(project, "samples");
let parse: RuleParse;

beforeAll(async () => {
  parse = await ruleParse();
});

/**
 * Everything is as bad as can be on every line, each a quarter of the whole, so that only the shape of the
 * source holds a rule back.
 */
function worstCounters(file: string, source: string): RuleInput["counters"] {
  const bad = {
    ...noCounters(),
    instructions: 4000,
    threadInstructions: 64_000,
    globalLoadRequests: 1000,
    globalLoadSectors: 32_000,
    globalLoadSectorsIdeal: 4000,
    globalStoreRequests: 1000,
    globalStoreSectors: 32_000,
    globalStoreSectorsIdeal: 4000,
    sharedWavefronts: 32_000,
    sharedWavefrontsIdeal: 1000,
    sharedConflictWays: 32,
    barriers: 100,
    globalBytesRequested: 128_000,
  };
  const lines = source.split("\n").map((_, row) => ({ file, line: row + 1, ...bad }));
  return { origin: "virtual-gpu", lines, totals: sumCounters(lines.slice(0, 4)) };
}

function inputFor(tree: Readonly<Record<string, string>>, file: string, spec: KernelSpec): RuleInput {
  return {
    tree,
    file,
    kernel: spec.kernel,
    dialect: spec.dialect,
    spec,
    parse,
    counters: worstCounters(file, tree[file] ?? ""),
    sizes: spec.shapes[0]?.sizes ?? {},
    facts: [
      {
        kernel: spec.kernel,
        architecture: "sm_80",
        registers: 32,
        spillStoreBytes: 0,
        spillLoadBytes: 0,
        stackBytes: 0,
        sharedBytes: 0,
      },
    ],
    bound: {
      gpu: "A100 40GB SXM",
      nanoseconds: 1000,
      terms: { dram: 1000, l2: 600, shared: 900, issue: 500, tensor: 0, latency: 400 },
      binding: "dram",
    },
  };
}

interface SpecFile {
  readonly kernel: string;
  readonly launch?: { readonly arguments: readonly ArgumentSpec[] };
  readonly entry?: { readonly call: string; readonly arguments: readonly ArgumentSpec[] };
  readonly inputs: Readonly<Record<string, TensorSpec>>;
  readonly outputs: Readonly<Record<string, TensorSpec>>;
  readonly shapes: readonly ShapeCase[];
}

function specOf(name: string): KernelSpec {
  const text = JSON.parse(readFileSync(join(samples, name), "utf8")) as SpecFile;
  const [file = "", kernel = ""] = text.kernel.split("::");
  const run: KernelSpec["run"] =
    text.entry === undefined
      ? { kind: "launch", launch: text.launch ?? { arguments: [] } }
      : { kind: "entry", entry: text.entry };
  const { inputs, outputs } = text;
  const shapes = text.shapes.filter((shape) => shape.heldOut !== true);
  return {
    file,
    kernel,
    dialect: file.endsWith(".py") ? "triton" : "cuda",
    run,
    inputs,
    outputs,
    shapes,
    reference: { kind: "baseline" },
    objective: "modelled-bound",
  };
}

/** Every tree that up to `depth` rewrites on top of each other lead to, with the rules that led there. */
function reachable(start: RuleInput, depth: number): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>([[start.tree[start.file] ?? "", []]]);
  let edge = [...found];
  for (let step = 0; step < depth; step += 1) {
    const next: [string, readonly string[]][] = [];
    for (const [source, trail] of edge) {
      const input = inputFor({ ...start.tree, [start.file]: source }, start.file, start.spec);
      for (const rule of rules.filter(({ dialects }) => dialects.includes(input.dialect))) {
        const answers = rule.answer(input);
        expect(rule.answer(input)).toEqual(answers);
        const proposals = answers.filter((answer) => answer.kind === "proposal");
        for (const proposal of proposals) {
          const text = proposal.tree[start.file] ?? "";
          if (found.has(text)) continue;
          expect(proposal.gain, rule.id).toBeGreaterThan(0);
          expect(proposal.gain, rule.id).toBeLessThanOrEqual(1);
          found.set(text, [...trail, rule.id]);
          next.push([text, [...trail, rule.id]]);
        }
      }
    }
    edge = next;
  }
  return found;
}

const specs = readdirSync(samples)
  .filter((name) => name.endsWith(".kernel.json"))
  .sort();

test.each(specs.map((name) => [name] as const))(
  "%s: whatever rules are stacked, the source still parses",
  (name) => {
    const spec = specOf(name);
    const trees = reachable(
      inputFor({ [spec.file]: readFileSync(join(samples, spec.file), "utf8") }, spec.file, spec),
      drawsAll ? 3 : 2,
    );
    expect(trees.size).toBeGreaterThan(1);
    const broken = [...trees]
      .filter(([source]) => parse(spec.file, source)?.hasError !== false)
      .map(([, trail]) => trail);
    expect(broken).toEqual([]);
  },
);

test("no rule breaks on a text that does not parse, or on a kernel that is not there", () => {
  const spec = specOf("transpose.cu.kernel.json");
  const whole = readFileSync(join(samples, "transpose.cu"), "utf8");
  const cut = [
    whole.slice(0, 900),
    whole.replaceAll("}", ""),
    "",
    "\u0000",
    whole.replace("transpose(const", "other(const"),
  ];
  const answers = cut.flatMap((source) => {
    const input = inputFor({ "transpose.cu": source }, "transpose.cu", spec);
    return rules.filter(({ dialects }) => dialects.includes("cuda")).flatMap((rule) => rule.answer(input));
  });
  expect(answers.filter(({ kind }) => kind === "proposal")).toEqual([]);
  expect(answers.length).toBeGreaterThanOrEqual(cut.length);
});
