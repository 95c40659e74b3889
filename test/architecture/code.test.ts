import { expect, test } from "vitest";
import { fileLines, folderFaults, widthFaults } from "./cap-faults";
import caps from "./caps.json";
import { idleExports } from "./idle-exports";
import { projectFiles, readProjectFile } from "./project";
import { factsOf } from "./source-facts";

const code = projectFiles().filter(
  (path) => !path.startsWith("samples/") && !path.startsWith("test/cases/") && !/\.d\.ts$/.test(path),
);
/**
 * Files that `npm run protocols` writes have no second concept to find; a test of their own keeps them fresh.
 */
const isMade = (path: string): boolean =>
  /^(\/\/|#) Made of .*: change it there\.\n/.test(readProjectFile(path));
const all = code.filter((path) => /\.(ts|py|cpp|hpp)$/.test(path));
const written = all.filter((path) => !isMade(path));
const sources = written.filter((path) => path.endsWith(".ts"));
const otherSources = written.filter((path) => !path.endsWith(".ts"));

test("size caps hold in every file", () => {
  const long = otherSources.filter((path) => fileLines(path) > caps.fileLines);
  const product = all.filter((path) => /^(client|server)\//.test(path));
  const faults = [
    ...sources.flatMap((path) => factsOf(path).faults),
    ...long.map((path) => `${path}: more than ${caps.fileLines} lines`),
    ...folderFaults(product),
    ...[...sources, ...otherSources].flatMap(widthFaults),
  ];
  expect([...new Set(faults)].sort()).toEqual([]);
});

/** Marks that must not stay in code. */
const marks = /\b(TODO|FIXME|XXX)\b|\b(it|test|describe)\.only\(|@ts-ignore/;

/** What the linter does not look for; it knows `any`, empty catches and the console (.oxlintrc.json). */
function habitFaults(path: string): string[] {
  const text = readProjectFile(path);
  return [
    ...(/\bvi\s*\.\s*(do)?mock\b/i.test(text) ? [`${path}: module mock`] : []),
    ...(/^export (default\b|=)/m.test(text) && !/config\.ts$/.test(path) ? [`${path}: default export`] : []),
    ...(marks.test(text) ? [`${path}: a mark was left in`] : []),
  ];
}

test("no default export, no module mock, no mark left in the code", () => {
  // This file names what it looks for.
  const others = sources.filter((path) => path !== "test/architecture/code.test.ts");
  expect(others.flatMap(habitFaults)).toEqual([]);
});

/** What stands for a type or an architecture that is not known is a guess, and has a name that says so. */
const madeUp =
  /(?:\?\?|\|\|)\s*(?:"(?:sm_|compute_)?\d{2}\w?"|"\d+\.\d+"|"b?float\d+"|"f\d+"|new Uint8Array\(0?\))/;

test("no default makes up an architecture, a type of numbers or the contents of memory", () => {
  const guesses = sources
    .filter((path) => /^(client|server)\//.test(path))
    .flatMap((path) =>
      readProjectFile(path)
        .split("\n")
        .flatMap((line, row) => (madeUp.test(line) ? [`${path}:${row + 1}: ${line.trim()}`] : [])),
    );
  expect(guesses).toEqual([]);
});

test("files are named in kebab-case", () => {
  const odd = sources.filter(
    (path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.(test|d|config|base))*\.ts$/.test(path),
  );
  expect(odd).toEqual([]);
});

// Beside the caps, so that the sources are parsed once.
test("every export of the product is used by another file, be it a test", () => {
  const modules = projectFiles().filter(
    (path) =>
      /\.(tsx?|mjs)$/.test(path) && /^(client|server|test)\//.test(path) && !path.startsWith("test/cases/"),
  );
  // Called by VS Code.
  const outside = ["client/src/extension.ts: activate", "client/src/extension.ts: deactivate"];
  expect(idleExports(modules).filter((each) => !outside.includes(each))).toEqual([]);
});
