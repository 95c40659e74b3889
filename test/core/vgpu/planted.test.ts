import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe as suite, expect, it } from "vitest";
import { type KernelFinding, type LaunchOutcome, type PtxModule, compileKernel, launch, parsePtx } from "../../../server/core/vgpu/index";
import { type PlantedCase, type Prepared, type Variant, allPlanted, contents, plantedFolder, prepare } from "./planted-cases";
import { plantedResults } from "./planted-results";
import { describe } from "./support";

const missedFile = join(plantedFolder, "missed.json");
/** Kernels whose bug the detectors do not find yet. */
const missed = JSON.parse(readFileSync(missedFile, "utf8")) as readonly string[];
const updating = process.env["UPDATE_CASES"] === "1";
const stillMissed: string[] = [];
const modules = new Map<Variant, PtxModule>();
const variants: readonly Variant[] = ["bug", "fixed"];

/** All files in one translation unit, so that the compiler starts twice and not twice for each. */
function compileAll(folder: string, variant: Variant): PtxModule {
  const unit = join(folder, "planted.cu");
  const output = join(folder, `${variant}.ptx`);
  writeFileSync(unit, readdirSync(plantedFolder).filter((name) => name.endsWith(".cu")).sort().map((name) => `#include "${join(plantedFolder, name)}"\n`).join(""));
  execFileSync("nvcc", ["-ptx", "-arch=sm_80", "-lineinfo", ...(variant === "fixed" ? ["-DFIXED"] : []), "-o", output, unit]);
  const parsed = parsePtx(readFileSync(output, "utf8"));
  if (!parsed.ok) throw new Error(`PTX line ${parsed.problem.line}: ${parsed.problem.message}`);
  return parsed.value;
}

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-planted-"));
  for (const variant of variants) modules.set(variant, compileAll(folder, variant));
  rmSync(folder, { recursive: true, force: true });
}, 180_000);

afterAll(() => {
  if (updating) writeFileSync(missedFile, `${JSON.stringify([...stillMissed].sort(), undefined, 2)}\n`);
});

interface Watched {
  readonly outcome: LaunchOutcome;
  readonly prepared: Prepared;
}

function runWatched(planted: PlantedCase, variant: Variant): Watched {
  const ptx = modules.get(variant);
  const compiled = ptx && compileKernel(ptx, planted.kernel, { counters: false, detectors: true });
  if (!compiled?.ok) throw new Error(compiled ? `${planted.kernel}: ${compiled.problem.reason}` : "nothing was compiled");
  const prepared = prepare(planted, variant);
  const outcome = launch(compiled.value, {
    grid: planted.grid[variant], block: planted.block[variant], dynamicSharedBytes: planted.shared[variant],
    arguments: prepared.arguments, memory: prepared.memory, instructionBudget: 2e6,
  });
  return { outcome, prepared };
}

function findingsOf(outcome: LaunchOutcome): readonly KernelFinding[] {
  if (outcome.kind === "fault") return [outcome.finding];
  return outcome.kind === "completed" ? outcome.findings : [];
}

/** What is wrong with a finding; empty when it is the planted bug. */
function surprise(planted: PlantedCase, finding: KernelFinding): string {
  const { kind, lines, otherLines, unwritten, file } = planted;
  const place = `${finding.kind} at ${finding.file?.split("/").pop() ?? "?"}:${finding.line ?? 0}`;
  if (finding.kind !== kind) return place;
  if (unwritten !== undefined) return finding.allocation === unwritten ? "" : `${place} of ${finding.allocation ?? "?"}`;
  if (lines.length === 0) return "";
  if (finding.file?.endsWith(`/${file}`) !== true) return place;
  const at = (line: number | undefined, among: readonly number[]): boolean => among.includes(line ?? 0);
  if (!kind.endsWith("-race")) return at(finding.line, lines) ? "" : place;
  const other = (finding as { readonly other?: { readonly line?: number } }).other?.line;
  const partners = otherLines.length > 0 ? otherLines : lines;
  const matches = (at(finding.line, lines) && at(other, partners)) || (at(finding.line, partners) && at(other, lines));
  return matches ? "" : `${place} with line ${other ?? 0}`;
}

/** Everything that is not as it should be on the kernel with its bug; empty when exactly the bug was reported. */
function verdictOnBug(planted: PlantedCase): string {
  const { outcome } = runWatched(planted, "bug");
  const findings = findingsOf(outcome);
  if (findings.length === 0) return outcome.kind === "completed" ? "nothing was reported" : describe(outcome);
  return findings.map((finding) => surprise(planted, finding)).filter((text) => text !== "").join("; ");
}

const cases = allPlanted(".cu");

suite("planted bugs", () => {
  it("are many, each with its own name, marked line and a launch", () => {
    expect(cases.length).toBeGreaterThanOrEqual(50);
    expect(new Set(cases.map(({ kernel }) => kernel)).size).toBe(cases.length);
    const named = (kind: string): boolean => kind !== "invalid-launch" && kind !== "never-written";
    expect(cases.filter(({ kernel, kind, lines }) => kernel === "" || (named(kind) && lines.length === 0))).toEqual([]);
    expect(Object.keys(plantedResults).filter((name) => !cases.some(({ kernel }) => kernel === name))).toEqual([]);
    expect(missed.filter((name) => !cases.some(({ kernel }) => kernel === name))).toEqual([]);
  });

  it.each(cases.map((planted) => [planted.kernel, planted] as const))("%s: the bug is named, or listed as missed", (name, planted) => {
    const verdict = verdictOnBug(planted);
    if (verdict !== "") stillMissed.push(name);
    if (updating) return;
    if (missed.includes(name)) expect(verdict, "found now: take it out of missed.json (UPDATE_CASES=1 does)").not.toBe("");
    else expect(verdict).toBe("");
  });
});

suite("twins of planted bugs", () => {
  it.each(cases.map((planted) => [planted.kernel, planted] as const))("%s: nothing is reported and the result is right", (name, planted) => {
    const { outcome, prepared } = runWatched(planted, "fixed");
    expect(outcome.kind, describe(outcome)).toBe("completed");
    expect(findingsOf(outcome)).toEqual([]);
    expect(prepared.memory.damagedGuards()).toEqual([]);
    const expected = plantedResults[name];
    if (!expected) return;
    const argument = planted.arguments.find((entry) => entry.name === expected.output);
    const count = argument?.kind === "memory" ? argument.count : 0;
    expect(prepared.read(expected.output)).toEqual(Array.from({ length: count }, (_, index) => expected.value(index)));
  });

  it("start from contents that their headers name", () => {
    const unknown = cases.flatMap(({ kernel, arguments: list }) => list.flatMap((entry) =>
      (entry.kind === "memory" && entry.type !== "pointer" && entry.fill.length > 0 && !contents(entry) ? [`${kernel}: ${entry.fill.join(" ")}`] : [])));
    expect(unknown).toEqual([]);
  });
});
