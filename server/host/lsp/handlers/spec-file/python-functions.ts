import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Files that are looked at. */
const mostFiles = 40;
const topLevel = /^(?:async )?def ([A-Za-z]\w*)/gm;

/** Functions of the Python files in a folder, as specs name them: `FILE.py::FUNCTION`; references first. */
export async function pythonFunctions(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch((): string[] => []))
    .filter((name) => name.endsWith(".py"))
    .sort();
  const found: string[] = [];
  for (const name of names.slice(0, mostFiles)) {
    const text = await readFile(join(folder, name), "utf8").catch(() => "");
    for (const [, made = ""] of text.matchAll(topLevel)) if (!isTest(made)) found.push(`${name}::${made}`);
  }
  return found.sort((a, b) => Number(isReference(b)) - Number(isReference(a)));
}

function isTest(name: string): boolean {
  return name === "main" || name.startsWith("test");
}

function isReference(callable: string): boolean {
  return /ref|expected|golden|naive/i.test(callable);
}
