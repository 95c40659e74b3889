import type { FileReader } from "../../../../core/ports/files";
import { commonFolder, readIfShown } from "../../sources/draw-in";
import type { WorkloadRequest } from "../finders";
import { distance } from "../near-sources";

/** A Python file of the workspace. */
export interface PythonFile {
  readonly path: string;
  readonly text: string;
}

/** Files that are looked at, and callers that are given. */
const mostFiles = 2000;
const mostCallers = 4;

/** Files whose functions are run by a test runner or by hand, with arguments of their own. */
const scriptNames = /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest|setup|bench\w*|benchmark\w*)\.py$/;

/** Modules of the workspace that name the kernel, those nearest to its file first. */
export async function callersOf(
  files: FileReader,
  { file, kernel }: WorkloadRequest,
): Promise<readonly PythonFile[]> {
  const named = await filesWith(files, new RegExp(`(?<!\\w)${kernel}(?!\\w)`));
  return named
    .filter(({ path }) => path !== file && !scriptNames.test(path))
    .sort((a, b) => commonFolder(file, b.path).length - commonFolder(file, a.path).length)
    .slice(0, mostCallers);
}

/** A statement that does something when a file runs. */
const doesSomething = /^(?:if __name__|for |while |with |assert |[\w.]+\(|\w+(?:\[[^\n]*\])\()/m;
const testNames = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
/** Tests in a file of any name. */
export const hasTests = /^def test_\w/m;
const mostScripts = 3;

/**
 * Programs that may launch the kernel: its own file where it does something, then tests (`FILE::`) and
 * scripts that name the kernel or import its module, those nearest to its file first. For a CUDA source, the
 * scripts that load it.
 */
export async function scriptsOf(
  files: FileReader,
  { file, text, kernel }: WorkloadRequest,
): Promise<readonly PythonFile[]> {
  if (!file.endsWith(".py")) return loadersOf(files, file);
  const own = [
    ...(doesSomething.test(text) ? [{ path: file, text }] : []),
    ...(hasTests.test(text) ? [{ path: `${file}::`, text }] : []),
  ];
  const module = file.slice(file.lastIndexOf("/") + 1, -".py".length);
  const drawn = new RegExp(`(?<!\\w)${kernel}(?!\\w)|(?:from|import)[^\\n]*(?<!\\w)${module}(?!\\w)`);
  const others = (await filesWith(files, drawn))
    .filter(({ path }) => path !== file && !path.endsWith("__init__.py"))
    .filter((each) => testNames.test(each.path) || doesSomething.test(each.text))
    .sort((a, b) => commonFolder(file, b.path).length - commonFolder(file, a.path).length)
    .map((each) => (testNames.test(each.path) ? { ...each, path: `${each.path}::` } : each));
  return [...own, ...others].slice(0, mostScripts);
}

/** Scripts that have PyTorch compile a CUDA source, which they name, those nearest to it first. */
async function loadersOf(files: FileReader, file: string): Promise<readonly PythonFile[]> {
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/[^\w]/g, String.raw`\$&`);
  const named = await filesWith(files, new RegExp(String.raw`["'/]${name}["']`));
  return named
    .filter(({ text }) => /\bcpp_extension\b/.test(text) && /\bload\s*\(/.test(text))
    .sort((a, b) => distance(a.path, file) - distance(b.path, file))
    .slice(0, mostScripts);
}

async function filesWith(files: FileReader, word: RegExp): Promise<readonly PythonFile[]> {
  const found: PythonFile[] = [];
  for (const path of (await files.list("", [".py"])).slice(0, mostFiles)) {
    const text = await readIfShown(files, path);
    if (text !== undefined && word.test(text)) found.push({ path, text });
  }
  return found;
}
