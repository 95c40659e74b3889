import type { JsonObject } from "../../../core/base/json";
import type { FileReader } from "../../../core/ports/files";
import { type BuildPart, joinBuildParts } from "../../../core/workload/build-settings";
import { readCMake } from "../../../core/workload/build/cmake";
import { type BuildQuestion, readCompileCommands } from "../../../core/workload/build/compile-commands";
import { readMakefile } from "../../../core/workload/build/makefile";
import { readSetupExtensions } from "../../../core/workload/build/setup-extensions";
import { withNewerStandard } from "../../../core/workload/build/standard";
import { readIfShown } from "./draw-in";

export interface BuildFileReaders {
  readonly files: FileReader;
  /** Reads a setup.py without running it (the worker's `read-setup-file`); left out: none is read. */
  readonly readSetupFile?: (text: string) => Promise<JsonObject>;
}

const databases = ["compile_commands.json", "build/compile_commands.json", "out/compile_commands.json"];

const makefileNames = ["Makefile", "makefile"];

/** The record of a build that knows the file, else what build files say. */
export async function builtPart(options: BuildFileReaders, question: BuildQuestion): Promise<BuildPart> {
  const { files } = options;
  const notes: string[] = [];
  for (const path of databases) {
    const text = await readIfShown(files, path);
    const part = text === undefined ? undefined : readCompileCommands(path, text, question);
    if (part?.includeFolders !== undefined) return part;
    notes.push(...(part?.notes ?? []));
  }
  const cmake = readCMake(await cmakeFiles(files, question.file), question);
  const setup = await setupPart(options, question);
  const beside = await makePart(options, question);
  const make = [cmake, setup, beside].every(saysNothing) ? await namingMakePart(options, question) : beside;
  const parts = [{ notes }, cmake, setup, make];
  return withNewerStandard(joinBuildParts(parts));
}

function saysNothing(part: BuildPart): boolean {
  return Object.values(part).every((each) => Array.isArray(each) && each.length === 0);
}

/** The makefile beside the file or in a folder around it, the nearest one. */
async function makePart(
  { files }: Pick<BuildFileReaders, "files">,
  question: BuildQuestion,
): Promise<BuildPart> {
  for (const folder of foldersDownTo(question.file).toReversed())
    for (const name of makefileNames) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const text = await readIfShown(files, path);
      if (text !== undefined) return readMakefile({ path, folder, text }, question);
    }
  return {};
}

/** A makefile elsewhere in the workspace that names the file. */
async function namingMakePart(
  { files }: Pick<BuildFileReaders, "files">,
  question: BuildQuestion,
): Promise<BuildPart> {
  const base = baseOf(question.file);
  const elsewhere = (await files.list("", makefileNames)).filter((path) =>
    makefileNames.includes(baseOf(path)),
  );
  for (const path of elsewhere) {
    const text = await readIfShown(files, path);
    if (text?.includes(base) === true) return readMakefile({ path, folder: folderOf(path), text }, question);
  }
  return {};
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A setup.py beside the file or in a folder around it, the nearest one. */
async function setupPart(
  { files, readSetupFile }: BuildFileReaders,
  question: BuildQuestion,
): Promise<BuildPart> {
  const parts = question.file.split("/").slice(0, -1);
  for (let depth = parts.length; depth >= 0 && readSetupFile !== undefined; depth -= 1) {
    const folder = parts.slice(0, depth).join("/");
    const path = folder === "" ? "setup.py" : `${folder}/setup.py`;
    const text = await readIfShown(files, path);
    if (text === undefined || !/extension/i.test(text)) continue;
    const place = { ...question, file: path, folder, source: question.file };
    return readSetupExtensions(await readSetupFile(text), place);
  }
  return loadedPart({ files, readSetupFile }, question);
}

/** Scripts of a folder, and of all others, that are looked at for a call that loads the file. */
const [mostOfFolder, mostElsewhere] = [20, 200];

/** What the nearest script says that loads the file as an extension: beside it, around it, or elsewhere. */
async function loadedPart(
  { files, readSetupFile }: BuildFileReaders,
  question: BuildQuestion,
): Promise<BuildPart> {
  if (readSetupFile === undefined) return {};
  const scripts = await files.list("", [".py"]);
  const around = foldersDownTo(question.file).toReversed();
  const told = async (paths: readonly string[]): Promise<BuildPart> => {
    const parts: BuildPart[] = [];
    for (const file of paths) {
      const text = await readIfShown(files, file);
      if (text === undefined || !mayLoad({ file, text }, question.file)) continue;
      const place = { ...question, file, folder: folderOf(file), source: question.file };
      parts.push(readSetupExtensions(await readSetupFile(text), place));
    }
    return joinBuildParts(parts);
  };
  for (const folder of around) {
    const part = await told(scripts.filter((path) => folderOf(path) === folder).slice(0, mostOfFolder));
    if (!saysNothing(part)) return part;
  }
  return told(scripts.filter((path) => !around.includes(folderOf(path))).slice(0, mostElsewhere));
}

/** Whether a script loads extensions, and lies beside a file or speaks of it or of its folder. */
function mayLoad(script: { readonly file: string; readonly text: string }, source: string): boolean {
  if (!script.text.includes("cpp_extension")) return false;
  const folder = folderOf(source);
  if (folderOf(script.file) === folder || script.text.includes(baseOf(source))) return true;
  const words: readonly string[] = script.text.match(/\w+/g) ?? [];
  return words.includes(baseOf(folder));
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** From the top down to the file's folder. */
async function cmakeFiles(
  files: FileReader,
  file: string,
): Promise<readonly { readonly folder: string; readonly text: string }[]> {
  const read = await Promise.all(
    foldersDownTo(file).map(async (folder) => ({
      folder,
      text: await readIfShown(files, folder === "" ? "CMakeLists.txt" : `${folder}/CMakeLists.txt`),
    })),
  );
  return read.flatMap(({ folder, text }) => (text === undefined ? [] : [{ folder, text }]));
}

/** The folders around a file, from the top down to its own. */
function foldersDownTo(file: string): readonly string[] {
  const parts = file.split("/").slice(0, -1);
  return ["", ...parts.map((_, index) => parts.slice(0, index + 1).join("/"))];
}
