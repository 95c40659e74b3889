import { expect, test } from "vitest";
import { judgeEntry } from "../../corpus/judge-entry";
import { judgeMutant, mutantsFor } from "../../corpus/mutants";
import { corpus, type CorpusEntry } from "../../harness/corpus";

/** A share that takes seconds; `npm run corpus -- --mutate` checks all spellings of all kernels. */
const share = [
  { id: "bare-relu", mutations: ["parameters renamed", "comments and line breaks among the tokens"] },
  { id: "wrong-halo", mutations: ["dim3 variables for the launch"] },
];

test.each(share)("another spelling of $id gets the same verdict", async (chosen) => {
  const entry = corpus().find(({ id }) => id === chosen.id) as CorpusEntry;
  const original = await judgeEntry(entry);
  const mutants = mutantsFor(entry).filter(({ mutation }) => chosen.mutations.includes(mutation));
  const judged = [];
  for (const mutant of mutants) judged.push(await judgeMutant(entry, original, mutant));
  expect(judged.map(({ id, standing, words }) => [id, standing === "differs" ? words : standing])).toEqual(
    chosen.mutations.map((mutation) => [`${chosen.id}: ${mutation}`, "as expected"]),
  );
});
