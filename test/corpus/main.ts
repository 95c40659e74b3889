import { PlainFailure } from "../../server/setup/support/problem.mjs";
import { commandOptions } from "../harness/command-options";
import { runAsCommand } from "../harness/command-main";
import { CORPUS_KINDS, type CorpusEntry, corpus } from "../harness/corpus";
import { type Judged, judgeEntry } from "./judge-entry";
import { judgeMutant, mutantsFor } from "./mutants";
import { rowsOf, totalsOf } from "./report";

const { values } = commandOptions({
  options: {
    kind: { type: "string", multiple: true, default: [] },
    only: { type: "string", multiple: true, default: [] },
    quick: { type: "boolean", default: false },
    mutate: { type: "boolean", default: false },
    words: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

/** Entries that the options choose; throws where an option names nothing. */
function chosen(): readonly CorpusEntry[] {
  const all = corpus();
  for (const kind of values.kind)
    if (!CORPUS_KINDS.some((known) => known === kind))
      throw new PlainFailure(`No kind "${kind}"; there are ${CORPUS_KINDS.join(", ")}.`);
  for (const id of values.only)
    if (!all.some((entry) => entry.id === id || entry.folder === id))
      throw new PlainFailure(`No kernel "${id}" in test/cases/workloads/corpus.json.`);
  return all.filter(
    ({ id, folder, kind, quick }) =>
      (values.kind.length === 0 || values.kind.includes(kind)) &&
      (values.only.length === 0 || values.only.includes(id) || values.only.includes(folder)) &&
      (!values.quick || quick === true),
  );
}

/** A row on the error stream as soon as it is known. */
function tell(one: Judged): void {
  process.stderr.write(`${rowsOf([one])}${values.words && one.words ? `\n    ${one.words}` : ""}\n`);
}

async function mutantsOf(entry: CorpusEntry, original: Judged): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const mutant of mutantsFor(entry)) {
    const one = await judgeMutant(entry, original, mutant);
    tell(one);
    judged.push(one);
  }
  return judged;
}

/** Each kernel as it is judged is told on the error stream; the table comes at the end. */
async function main(): Promise<number> {
  const judged: Judged[] = [];
  for (const entry of chosen()) {
    const one = await judgeEntry(entry);
    tell(one);
    judged.push(one);
    if (values.mutate) judged.push(...(await mutantsOf(entry, one)));
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ kernels: judged })}\n`);
  else process.stdout.write(`\n${totalsOf(judged)}\n`);
  return judged.every(({ standing }) => standing === "as expected" || standing === "asked") ? 0 : 1;
}

void runAsCommand(main);
