import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import causes from "../../../../server/core/agent/rulebook/causes.json";
import remedies from "../../../../server/core/agent/rulebook/remedies.json";
import { diagnosisEntries } from "../../../../server/core/agent/rulebook/diagnosis/entry";
import { rules } from "../../../../server/core/agent/rulebook/index";
import { rankRules } from "../../../../server/core/agent/rulebook/ranking";
import type { RuleParse } from "../../../../server/core/agent/rulebook/rule";
import { verdictOfCheck } from "../../../../server/core/agent/verdict-of";
import type { EvaluationTask } from "../../../../server/core/ports/evaluator";
import type { NamedCause } from "../../../../server/core/trajectory/events";
import { evaluatorOfFile } from "../../../host/worker/evaluation-under-test";
import { ruleParse } from "./grammars";
import { onMeasured } from "./measured-task";
import { readSpec } from "./real-evaluation";

const { evaluator } = evaluatorOfFile();
const identity = { sha256: (text: string | Uint8Array) => String(text.length) };
const cases = join(__dirname, "../../../cases");
const wellWritten = join(cases, "diagnosis");

let parse: RuleParse;
beforeAll(async () => {
  parse = await ruleParse();
});

/** What costs time in a kernel as it is, counted on the virtual GPU. */
async function named(folder: string, file: string): Promise<readonly NamedCause[]> {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const task: EvaluationTask = {
    spec: readSpec(read(`${file}.kernel.json`)),
    specFolder: "",
    target: { kind: "vgpu", architecture: "sm_80" },
    baseline: { [file]: read(file) },
  };
  const { baseline: tree, spec } = task;
  return onMeasured(evaluator, task, async ({ measured }) => {
    const verdict = verdictOfCheck(measured, { task, tree, tier: "quick", identity });
    if (verdict.kind !== "correct") throw new Error(JSON.stringify(verdict));
    const judged = { candidate: { tree }, verdict };
    const { causes: found, broken } = rankRules({ rules, parse }, { spec, file: spec.file }, judged);
    expect(broken).toEqual([]);
    return found;
  });
}

/** Kernels of `unseen` with one planted waste each, by the cause that is to be among the first two. */
const wasteful = [
  ["edges_degree.cu", "contended-atomics"],
  ["scale_grads.cu", "contended-atomics"],
  ["tone_curve.cu", "constant-divergence"],
  ["hpc_flux.cu", "accumulate-in-memory"],
  ["dct_rows.cu", "bank-conflict"],
  ["median5.cu", "local-memory"],
  ["decay_table.cu", "double-arithmetic"],
  ["pow_poly.cu", "slow-math"],
  ["ring_gather.cu", "integer-division"],
  ["upsample_nearest.cu", "wide-index"],
  ["quant_alternate.cu", "divergence"],
  ["prefix_pairs.cu", "load-imbalance"],
  ["box_overlaps.cu", "load-imbalance"],
  ["block_sum_serial.cu", "reduction-tree"],
  ["widest_gap.cu", "reduction-tree"],
  ["page_offsets.cu", "reduction-tree"],
  ["basis_weights.cu", "reduction-tree"],
  ["speech_frames.cu", "slow-math"],
  ["iir_filter.cu", "small-grid"],
  ["tiny_blocks.cu", "small-block"],
  ["big_scratch.cu", "low-occupancy"],
  ["big_accum.cu", "local-memory"],
  ["cloud_shift.cu", "array-of-structures"],
  ["gather_patches.py", "integer-division"],
  ["horner_sync.cu", "needless-barrier"],
  ["palette_lookup.cu", "redundant-loads"],
  ["nbody.cu", "operands-reread"],
  ["log_softmax_block.cu", "row-passes"],
  ["star_moments.cu", "row-passes"],
  ["bf16_residual.cu", "scalar-access"],
  ["infer_proj.cu", "no-tensor-cores"],
  ["infer_proj.cu", "small-tile"],
  ["luma.cu", "array-of-structures"],
  ["chunk_pointers.cu", "strided-threads"],
  ["voxel_at.cu", "swapped-axes"],
  ["max_while.cu", "thread-per-row"],
  ["transpose_read.cu", "transposed-access"],
  ["film_grade.cu", "unfused"],
  ["sgd_chain.py", "unfused"],
  ["drop_mask.py", "unfused"],
  ["tide_extremes.cu", "repeated-input"],
  ["prefix_by_steps.cu", "many-launches"],
  ["layer_scale.cu", "many-launches"],
  ["rod_heat.cu", "host-waits"],
  ["clip_each.py", "host-waits"],
  ["contrast_host.cu", "host-waits"],
  ["ripple_frames.cu", "host-waits"],
  ["clip_lengths_ext.cu", "host-waits"],
  ["gate_scale_ext.cu", "unfused"],
  ["tide_pool.cu", "repeated-allocation"],
  ["tide_pool.cu", "host-waits"],
  ["gain_grads.cu", "contended-atomics"],
  ["dye_steps.cu", "device-copies"],
  ["fee_bands.cu", "linear-search"],
  ["norms_apart.py", "host-waits"],
  ["scan_paint.cu", "constant-divergence"],
  ["depth_smooth.cu", "separable-window"],
  ["lanczos_rgb.cu", "recomputed-values"],
  ["map_norm.py", "rearranged-copies"],
  ["half_swish.py", "converted-copies"],
  ["token_gate.py", "recompiled-sizes"],
  ["group_scores.py", "shared-operands"],
  ["parent_walk.cu", "dependent-loads"],
  ["parent_walk.cu", "looked-up-elements"],
  ["blank_frames.cu", "overwritten-stores"],
  ["least_marks.cu", "recomputed-values"],
] as const;

describe("a planted waste is among the first two causes", () => {
  const files = [...new Set(wasteful.map(([file]) => file))];
  test.each(files)("%s", async (file) => {
    const found = (await named(join(cases, "unseen"), file)).slice(0, 2).map(({ cause }) => cause);
    const wanted = wasteful.filter(([name]) => name === file).map(([, cause]) => cause);
    expect(found).toEqual(expect.arrayContaining(wanted));
  });
});

/** Causes that a kernel looks like at first sight and does not have. */
const innocent = [
  ["edge_keep.cu", "separable-window"],
  ["infer_proj.cu", "separable-window"],
] as const;

test.each(innocent)("%s is not told to have %s", async (file, cause) => {
  const found = await named(join(cases, "unseen"), file);
  expect(found.map((each) => each.cause)).not.toContain(cause);
});

describe("a kernel near its floor has no cause that costs much", () => {
  const files = readdirSync(wellWritten).filter((name) => name.endsWith(".cu"));
  test.each(files)("%s", async (file) => {
    const found = await named(wellWritten, file);
    expect(found.filter(({ share }) => share >= 0.2)).toEqual([]);
  });
});

test("each diagnosis names a cause that has words, and a kernel above shows it", () => {
  const entries = diagnosisEntries();
  expect(entries.filter(({ cause }) => !(cause in causes))).toEqual([]);
  const shown = new Set<string>(wasteful.map(([, cause]) => cause));
  expect(entries.filter(({ cause }) => !shown.has(cause)).map(({ id }) => id)).toEqual([]);
});

test("each cause has words for what usually helps", () => {
  expect(Object.keys(remedies).sort()).toEqual(Object.keys(causes).sort());
});

test("the table of the documentation is that of diagnoses.json", () => {
  const page = join(cases, "../../docs/rulebook.md");
  const text = readFileSync(page, "utf8");
  const rows = diagnosisEntries().map(({ cause, shows }) => `| \`${cause}\` | ${shows} |`);
  const table = ["| cause | what shows it |", "| --- | --- |", ...rows].join("\n");
  const shown = text.replace(/\| cause \| what shows it \|\n(?:\|.*\|\n)+/, () => `${table}\n`);
  if (process.env["UPDATE_CASES"] === "1") writeFileSync(page, shown);
  expect(readFileSync(page, "utf8")).toBe(shown);
});
