import type { FileReader } from "../../../core/ports/files";
import { commonFolder, readIfShown } from "../sources/draw-in";
import type { WorkloadRequest } from "./finders";

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
  const named = await filesThatName(files, kernel);
  return named
    .filter(({ path }) => path !== file && !scriptNames.test(path))
    .sort((a, b) => commonFolder(file, b.path).length - commonFolder(file, a.path).length)
    .slice(0, mostCallers);
}

async function filesThatName(files: FileReader, kernel: string): Promise<readonly PythonFile[]> {
  const word = new RegExp(`(?<![\\w])${kernel}(?!\\w)`);
  const found: PythonFile[] = [];
  for (const path of (await files.list("", [".py"])).slice(0, mostFiles)) {
    const text = await readIfShown(files, path);
    if (text !== undefined && word.test(text)) found.push({ path, text });
  }
  return found;
}
