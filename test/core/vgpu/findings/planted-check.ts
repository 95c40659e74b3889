import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  type CompiledKernel,
  type KernelFinding,
  type LaunchOutcome,
  launch,
} from "../../../../server/core/vgpu/index";
import { type PlantedCase, type Prepared, type Variant, plantedFolder, prepare } from "./planted-cases";
import { plantedResults } from "./planted-results";
import { address, describe } from "../support";

interface Watched {
  readonly outcome: LaunchOutcome;
  readonly prepared: Prepared;
}

/** Runs one variant of a case; Triton's own scratch pointers behind the arguments are null. */
export function runWatched(
  planted: PlantedCase,
  variant: Variant,
  kernel: CompiledKernel,
  shared = planted.shared[variant],
): Watched {
  const prepared = prepare(planted, variant);
  const rest = Array.from({ length: Math.max(0, kernel.parameters.length - prepared.arguments.length) }, () =>
    address(0n),
  );
  const outcome = launch(kernel, {
    grid: planted.grid[variant],
    block: planted.block[variant],
    dynamicSharedBytes: shared,
    arguments: [...prepared.arguments, ...rest],
    memory: prepared.memory,
    instructionBudget: 2e6,
    faults: "report",
    ...(planted.unwritten === undefined ? {} : { outputs: [prepared.address(planted.unwritten)] }),
  });
  return { outcome, prepared };
}

function findingsOf(outcome: LaunchOutcome): readonly KernelFinding[] {
  if (outcome.kind === "fault") return [...outcome.findings, outcome.finding];
  return outcome.kind === "refused" || outcome.kind === "stopped" ? [] : outcome.findings;
}

function placeText({ kind, file, line }: KernelFinding): string {
  return `${kind} at ${file?.split("/").pop() ?? "?"}:${line ?? 0}`;
}

/** What is wrong with a finding; empty when it is the planted bug. */
function surprise(planted: PlantedCase, finding: KernelFinding): string {
  const { kind, lines, unwritten, file } = planted;
  const place = placeText(finding);
  if (finding.kind !== kind) return place;
  if (unwritten !== undefined)
    return finding.allocation === unwritten ? "" : `${place} of ${finding.allocation ?? "?"}`;
  if (lines.length === 0) return "";
  if (finding.file?.endsWith(`/${file}`) !== true) return place;
  if (kind.endsWith("-race"))
    return isAtRace(planted, finding) ? "" : `${place} with line ${finding.other?.line ?? 0}`;
  return isAmong(finding.line, lines) ? "" : place;
}

function isAmong(line: number | undefined, lines: readonly number[]): boolean {
  return line !== undefined && lines.includes(line);
}

/** Whether a race is between a planted line and one of its partners, in either order. */
function isAtRace({ lines, otherLines }: PlantedCase, { line, other }: KernelFinding): boolean {
  const partners = otherLines.length > 0 ? otherLines : lines;
  return (
    (isAmong(line, lines) && isAmong(other?.line, partners)) ||
    (isAmong(line, partners) && isAmong(other?.line, lines))
  );
}

/**
 * Everything that is not as it should be on a kernel with its bug; empty when exactly the bug was reported.
 */
export function verdictOnBug(planted: PlantedCase, outcome: LaunchOutcome): string {
  const findings = findingsOf(outcome);
  if (findings.length === 0) return outcome.kind === "completed" ? "nothing was reported" : describe(outcome);
  const surprises = findings.map((finding) => surprise(planted, finding)).filter((text) => text !== "");
  const named = new Set(findings.map(({ line }) => line));
  const silent = planted.kind.endsWith("-race") ? [] : planted.lines.filter((line) => !named.has(line));
  return [...surprises, ...silent.map((line) => `nothing on line ${line}`)].join("; ");
}

/** Fails the test unless the twin ran to its end, reported nothing and left what was expected. */
export function checkTwin(planted: PlantedCase, { outcome, prepared }: Watched): void {
  expect(outcome.kind, describe(outcome)).toBe("completed");
  expect(findingsOf(outcome)).toEqual([]);
  expect(prepared.memory.damagedGuards()).toEqual([]);
  const expected = plantedResults[planted.kernel];
  if (!expected) return;
  const argument = planted.arguments.find((entry) => entry.name === expected.output);
  const count = argument?.kind === "memory" ? argument.count : 0;
  expect(prepared.read(expected.output)).toEqual(
    Array.from({ length: count }, (_, index) => expected.value(index)),
  );
}

/**
 * Names of the kernels whose bugs the detectors do not find yet, in a JSON file. UPDATE_CASES=1 writes it.
 */
export class MissedBugs {
  readonly names: readonly string[];
  private readonly now: string[] = [];
  private readonly updating = process.env["UPDATE_CASES"] === "1";
  private readonly file: string;

  constructor(name: string) {
    this.file = join(plantedFolder, name);
    this.names = JSON.parse(readFileSync(this.file, "utf8")) as readonly string[];
  }

  /** Fails when a bug goes unreported that is not listed, and when a listed one is reported. */
  check(name: string, verdict: string): void {
    if (verdict !== "") this.now.push(name);
    if (this.updating) return;
    if (this.names.includes(name))
      expect(verdict, "found now: take it off the list of missed ones (UPDATE_CASES=1 does)").not.toBe("");
    else expect(verdict).toBe("");
  }

  save(): void {
    if (this.updating)
      writeFileSync(this.file, `${JSON.stringify([...new Set(this.now)].sort(), undefined, 2)}\n`);
  }
}
