import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { commandOptions } from "../harness/command-options";
import { runAsCommand } from "../harness/command-main";
import { composeEntryPrograms } from "../../server/host/compose-programs";
import { createLaunchShapes } from "../../server/host/services/launch-shapes";
import { createSyntaxCheck } from "../../server/host/services/syntax";
import { createDeviceSources } from "../../server/host/services/sources/device-sources";
import { findPython } from "../../server/host/toolchain/find-python";
import { loadGrammars } from "../../server/host/toolchain/grammars";
import { WorkerEvaluator } from "../../server/host/worker/evaluation/evaluator";
import { VirtualGpuPool } from "../../server/host/worker/gpu/virtual-gpu-pool";
import { inRepository } from "../../server/setup/support/layout.mjs";
import { noRecordings } from "../harness/no-recordings";
import { redTeam, type RedTeamEntry } from "./entries";
import { type Answer, answerTo, openTask } from "./judge-entry";
import { pageWith, type Played, rowOf, totalsOf } from "./report";

const { values } = commandOptions({
  options: {
    only: { type: "string", multiple: true, default: [] },
    task: { type: "string", multiple: true, default: [] },
    write: { type: "boolean", default: false },
    kept: { type: "string" },
  },
});
const page = inRepository("docs", "verdicts.md");

/** Entries that the options choose: `--only` names a file or its beginning. */
function chosen(): readonly RedTeamEntry[] {
  return redTeam().filter(
    ({ id, task }) =>
      (values.only.length === 0 || values.only.some((start) => id.startsWith(start))) &&
      (values.task.length === 0 || values.task.includes(task)),
  );
}

/** The evaluator as the product composes it. */
function evaluatorOf(gpu: VirtualGpuPool): WorkerEvaluator {
  const { python } = findPython("", process.env);
  return new WorkerEvaluator({
    python,
    nvcc: "",
    workerFolder: inRepository("server", "worker"),
    withoutWalls: false,
    virtualGpu: gpu,
    launchShapes: createLaunchShapes(loadGrammars),
    deviceSources: createDeviceSources(
      loadGrammars,
      () => Promise.resolve(""),
      () => Promise.resolve({}),
      () => Promise.resolve(undefined),
    ),
    recordings: noRecordings,
    entryPrograms: composeEntryPrograms({ nvcc: "", python, environment: process.env }),
  });
}

async function playTask(
  evaluator: WorkerEvaluator,
  name: string,
  entries: readonly RedTeamEntry[],
): Promise<readonly Played[]> {
  const open = await openTask(evaluator, createSyntaxCheck(await loadGrammars()), name);
  const played: Played[] = [];
  try {
    for (const entry of entries) {
      const one = { entry, ...(await answerTo(open, entry)) };
      process.stderr.write(`${rowOf(one)}\n`);
      played.push(one);
    }
  } finally {
    await open.evaluation.close();
  }
  return played;
}

/** What a file of earlier runs holds, and what was played now, which it holds from then on. */
function keptWith(file: string, played: readonly Played[]): readonly Played[] {
  const answers: Readonly<Record<string, Answer>> = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, Answer>)
    : {};
  const now = Object.fromEntries(played.map(({ entry, ...answer }) => [`${entry.kind}/${entry.id}`, answer]));
  const all = { ...answers, ...now };
  writeFileSync(file, JSON.stringify(all));
  return redTeam().flatMap((entry) => {
    const answer = all[`${entry.kind}/${entry.id}`];
    return answer === undefined ? [] : [{ entry, ...answer }];
  });
}

async function main(): Promise<number> {
  const gpu = new VirtualGpuPool(inRepository("dist", "vgpu-thread.js"));
  const evaluator = evaluatorOf(gpu);
  const played: Played[] = [];
  try {
    const entries = chosen();
    for (const name of new Set(entries.map(({ task }) => task)))
      played.push(
        ...(await playTask(
          evaluator,
          name,
          entries.filter(({ task }) => task === name),
        )),
      );
  } finally {
    await evaluator.close();
    await gpu.close();
  }
  const all = values.kept === undefined ? played : keptWith(values.kept, played);
  if (values.write) writeFileSync(page, pageWith(readFileSync(page, "utf8"), all));
  const { text, allGood } = totalsOf(all);
  process.stdout.write(`\n${text}\n`);
  return allGood ? 0 : 1;
}

void runAsCommand(main);
