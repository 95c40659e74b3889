import { commandOptions } from "../harness/command-options";
import { runAsCommand } from "../harness/command-main";
import { describeProblem } from "../../server/setup/support/problem.mjs";
import { activationBench } from "./activation";
import { agentBench } from "./agent/agent";
import type { Bench, Measurement } from "./bench";
import { editorBench } from "./editor/editor";
import { firstVerdictBench } from "./first-verdict";
import { keystrokeBench } from "./keystroke";
import { hardwareBench } from "./hardware";
import { sessionBench } from "./long-session";
import { sessionMemoryBench } from "./session-memory";
import { modelBench } from "./model";
import { packageSizeBench } from "./package-size";
import { skillsBench } from "./skills";
import { timingBench } from "./timing";
import { trajectoryBench } from "./trajectory";
import { verdictBench } from "./verdict";
import { vgpuBench } from "./vgpu";

/** All benches, in the order in which they run. */
const BENCHES: readonly Bench[] = [
  packageSizeBench,
  trajectoryBench,
  keystrokeBench,
  editorBench,
  vgpuBench,
  modelBench,
  hardwareBench,
  timingBench,
  agentBench,
  sessionBench,
  sessionMemoryBench,
  skillsBench,
  firstVerdictBench,
  verdictBench,
  activationBench,
];

interface BenchResult {
  readonly name: string;
  readonly measurements: readonly Measurement[];
  readonly failure?: string;
}

async function resultOf(bench: Bench): Promise<BenchResult> {
  process.stderr.write(`• ${bench.name} …\n`);
  try {
    return { name: bench.name, measurements: await bench.run() };
  } catch (error) {
    return { name: bench.name, measurements: [], failure: describeProblem(error) };
  }
}

function printTable(results: readonly BenchResult[]): void {
  const rows = results.flatMap(({ name, measurements, failure }) => [
    ...measurements.map(({ metric, value, unit, versus, ratio }) => [
      name,
      metric,
      `${value} ${unit}`,
      versus ? `${ratio === undefined ? "" : `${ratio}× `}${versus}` : "",
    ]),
    ...(failure ? [[name, "failed", failure.split("\n")[0] ?? "", ""]] : []),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
}

async function main(): Promise<number> {
  const { values, positionals } = commandOptions({
    options: { json: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    process.stderr.write(
      `No bench "${unknown.join('", "')}"; there are ${BENCHES.map(({ name }) => name).join(", ")}.\n`,
    );
    return 2;
  }
  const results: BenchResult[] = [];
  for (const bench of BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name)))
    results.push(await resultOf(bench));
  if (values.json) process.stdout.write(`${JSON.stringify({ benches: results })}\n`);
  else printTable(results);
  for (const { name, failure } of results) if (failure) process.stderr.write(`${name} failed: ${failure}\n`);
  return results.some(({ failure }) => failure) ? 1 : 0;
}

void runAsCommand(main);
