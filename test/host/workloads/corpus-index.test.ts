import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { corpus, corpusFolder, type CorpusEntry } from "../../harness/corpus";

const entries = corpus();

/** What is not as the index says, as sentences. */
function faultsOf(entry: CorpusEntry): string[] {
  const { id, folder, kernel, files } = entry;
  const [file = "", name = ""] = kernel.split("::");
  const listed = readdirSync(join(corpusFolder, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => !path.includes("__pycache__") && statSync(join(corpusFolder, folder, path)).isFile())
    .sort();
  const named = [file, ...(entry.program ?? []), ...(entry.entry ? [entry.entry.split("::")[0] ?? ""] : [])];
  const text = files.includes(file) ? readFileSync(join(corpusFolder, folder, file), "utf8") : "";
  const rules: readonly [boolean, string][] = [
    [id === folder || id.startsWith(`${folder}/`), "the id begins with the folder"],
    [[...files].sort().join() === listed.join(), `files are ${listed.join(", ")}`],
    [named.every((path) => files.includes(path)), `${named.join(", ")} are among the files`],
    [new RegExp(`\\b${name}\\(`).test(text), `${file} has ${name}`],
    [(entry.kind === "program") === (entry.program !== undefined), "programs have sources, nothing else has"],
    [(entry.verdict === "question") === (entry.about !== undefined), "a question says what it is about"],
    [(entry.verdict === "correct") === (entry.correct === true), "correct kernels are judged correct"],
    [(entry.correct === true) === (entry.verified !== undefined), "a correct kernel says how we know"],
    [!listed.some((path) => path.endsWith(".kernel.json")), "nothing of ours lies in the folder"],
  ];
  return rules.filter(([holds]) => !holds).map(([, rule]) => `${id}: ${rule}`);
}

test("the index tells what lies in the folders", () => {
  expect(entries.flatMap(faultsOf)).toEqual([]);
});

test("each folder is in the index, and no id twice", () => {
  const folders = readdirSync(corpusFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect([...new Set(entries.map(({ folder }) => folder))].sort()).toEqual(folders.sort());
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
});

test("each of the four ways to bring a kernel has at least twenty", () => {
  const count = (kind: string): number => entries.filter((entry) => entry.kind === kind).length;
  const few = ["launcher", "program", "bare", "triton"].filter((kind) => count(kind) < 20);
  expect(few).toEqual([]);
});
