import ts from "typescript";
import { expect, test } from "vitest";
import { capFaults, fileLines, folderFaults, widthFaults } from "./cap-faults";
import caps from "./caps.json";
import { projectFiles, readProjectFile } from "./project";
import { parseSource, visit } from "./sources";

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
    ...sources.flatMap(capFaults),
    ...long.map((path) => `${path}: more than ${caps.fileLines} lines`),
    ...folderFaults(product),
    ...[...sources, ...otherSources].flatMap(widthFaults),
  ];
  expect([...new Set(faults)].sort()).toEqual([]);
});

/** Marks that must not stay in code. */
const marks = /\b(TODO|FIXME|XXX)\b|\b(it|test|describe)\.only\(|@ts-ignore/;

function habitFaults(path: string): string[] {
  const source = parseSource(path);
  const faults: string[] = [];
  visit(source, (node) => {
    const at = (): string =>
      `${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
    if (node.kind === ts.SyntaxKind.AnyKeyword) faults.push(`${at()}: any`);
    if (ts.isCatchClause(node) && node.block.statements.length === 0) faults.push(`${at()}: empty catch`);
    if (ts.isPropertyAccessExpression(node) && node.expression.getText(source) === "console")
      faults.push(`${at()}: console`);
    if (ts.isPropertyAccessExpression(node) && node.getText(source) === "vi.mock")
      faults.push(`${at()}: module mock`);
    if (ts.isExportAssignment(node) && !/config\.ts$/.test(path)) faults.push(`${at()}: default export`);
  });
  if (path !== "test/architecture/caps.test.ts" && marks.test(readProjectFile(path)))
    faults.push(`${path}: a mark was left in`);
  return faults;
}

test("no any, no empty catch, no console, no module mock, no mark left in the code", () => {
  expect(sources.flatMap(habitFaults)).toEqual([]);
});

test("files are named in kebab-case", () => {
  const odd = sources.filter(
    (path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.(test|d|config|base))*\.ts$/.test(path),
  );
  expect(odd).toEqual([]);
});
