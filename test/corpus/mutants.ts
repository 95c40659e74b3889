import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CorpusEntry, corpusFolder } from "../harness/corpus";
import { type Judged, judgeFolder } from "./judge-entry";
import { cudaMutations } from "./mutations/cuda";
import { tritonMutations } from "./mutations/triton";
import type { Mutation, Workspace } from "./mutations/workspace";

/** A kernel of the corpus in another spelling. */
export interface Mutant {
  readonly mutation: string;
  readonly workspace: Workspace;
}

/** An entry's folder as it is, in memory. */
export function workspaceOf({ folder, files, kernel }: CorpusEntry): Workspace {
  const [file = "", name = ""] = kernel.split("::");
  const texts = files.map((path) => [path, readFileSync(join(corpusFolder, folder, path), "utf8")] as const);
  return { files: new Map(texts), file, kernel: name };
}

/** All spellings in which an entry can be written otherwise; none of what holds no kernel of its own file. */
export function mutantsFor(entry: CorpusEntry): readonly Mutant[] {
  const workspace = workspaceOf(entry);
  return mutationsOf(entry).flatMap((mutation) => {
    const mutated = mutation.apply(workspace);
    return mutated ? [{ mutation: mutation.name, workspace: mutated }] : [];
  });
}

function mutationsOf({ kind, kernel }: CorpusEntry): readonly Mutation[] {
  if (kind === "none" || kind === "torch") return [];
  return kernel.includes(".py::") ? tritonMutations : cudaMutations;
}

/** Checks a mutant; it `differs` where the answer or the counters are not the original's. */
export async function judgeMutant(entry: CorpusEntry, original: Judged, mutant: Mutant): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright-corpus-"));
  try {
    const { files, file, kernel } = mutant.workspace;
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const judged = await judgeFolder({ ...entry, kernel: `${file}::${kernel}` }, folder);
    const id = `${entry.id}: ${mutant.mutation}`;
    if (judged.answer !== original.answer)
      return { ...judged, id, standing: "differs", words: `was ${original.answer}: ${judged.words}` };
    const changed = changedTotals(original.counters, judged.counters);
    if (changed !== "") return { ...judged, id, standing: "differs", words: changed };
    return { ...judged, id, standing: "as expected" };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Totals that are not the same, as in `loadSectors 512 → 1024`; lines may be, as mutants move them. */
function changedTotals(before: unknown, after: unknown): string {
  const [was, is] = [totalsOf(before), totalsOf(after)];
  return Object.keys({ ...was, ...is })
    .filter((name) => typeof was[name] === "number" && was[name] !== is[name])
    .map((name) => `${name} ${String(was[name])} → ${String(is[name])}`)
    .join(", ");
}

function totalsOf(counters: unknown): Readonly<Record<string, unknown>> {
  return (counters as { totals?: Readonly<Record<string, unknown>> } | undefined)?.totals ?? {};
}
