import { includedNames, includeGuesses } from "../../../core/language/local-files";
import type { JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import type { FileReader } from "../../../core/ports/files";
import { type BuildPart, type BuildSettings, joinBuildParts } from "../../../core/workload/build-settings";
import { readCMake } from "../../../core/workload/build/cmake";
import { type BuildQuestion, readCompileCommands } from "../../../core/workload/build/compile-commands";
import { mayBeLocal } from "../../../core/workload/build/include-search";
import { readSetupExtensions } from "../../../core/workload/build/setup-extensions";
import { readOptionWords } from "../../../core/workload/build/option-words";
import {
  parseProjectFile,
  projectBuildPart,
  projectFileName,
} from "../../../core/workload/build/project-file";
import type { InstanceFinder } from "./kernel-instances";
import { readIfShown, workspaceIncludeFolders } from "./draw-in";
import { HeaderSearch, type Project } from "./header-search";
import type { BuildService } from "../services";

/** Words of a compiler's command line as the user gave them. */
interface GivenOptions {
  readonly words: readonly string[];
  /** Absolute folder that their paths are relative to. */
  readonly folder: string;
  /** What the user knows them by: `the command line`. */
  readonly where: string;
}

export interface BuildServiceOptions {
  readonly files: FileReader;
  /** The workspace's folder as the user names it, and resolved. */
  readonly tops: readonly string[];
  /** The project that the workspace is a part of, where it is larger. */
  readonly project?: Project;
  readonly given: GivenOptions;
  readonly findInstances: InstanceFinder;
  /** Reads a setup.py without running it (the worker's `read-setup-file`); left out: none is read. */
  readonly readSetupFile?: (text: string) => Promise<JsonObject>;
}

const databases = ["compile_commands.json", "build/compile_commands.json", "out/compile_commands.json"];
const mostFiles = 400;

/**
 * Finds what a file is compiled with. Files are read anew each time: they are small and the user edits them.
 * What the user states counts before what a build recorded, and that before what build files say.
 */
export function createBuildService(options: BuildServiceOptions): BuildService {
  return {
    settingsFor: async (file, text, words = []) => {
      const given = { ...options.given, words: [...options.given.words, ...words] };
      const stated = [givenPart({ ...options, given }), await projectPart(options)];
      const { tops, project } = options;
      const question = { file, tops, ...(project === undefined ? {} : { project: project.folder }) };
      const built = file.endsWith(".py") ? {} : await builtPart(options, question);
      const known = joinBuildParts([...stated, built]);
      if (file.endsWith(".py")) return known;
      const { settings, own } = await withInferredFolders(options, { file, text }, known);
      return joinBuildParts([settings, { instances: await options.findInstances(options.files, own) }]);
    },
  };
}

function givenPart({ given, tops }: BuildServiceOptions): BuildPart {
  const { words, folder, where } = given;
  return readOptionWords(words, { origin: "user", where, folder, tops });
}

/** Throws `spec-invalid` for a file that is not as it must be: what the user states is never passed over. */
async function projectPart({ files, tops }: BuildServiceOptions): Promise<BuildPart> {
  const text = await files.read(projectFileName);
  if (text === undefined) return {};
  const project = parseProjectFile(text);
  if (project.ok) return projectBuildPart(project.value, tops);
  throw new OperationalError("spec-invalid", {
    forUser: project.problem
      .map(({ line, column, message }) => `${projectFileName}:${line}:${column}: ${message}`)
      .join("\n"),
  });
}

/** The record of a build that knows the file, else what build files say. */
async function builtPart(options: BuildServiceOptions, question: BuildQuestion): Promise<BuildPart> {
  const { files } = options;
  const notes: string[] = [];
  for (const path of databases) {
    const text = await readIfShown(files, path);
    const part = text === undefined ? undefined : readCompileCommands(path, text, question);
    if (part?.includeFolders !== undefined) return part;
    notes.push(...(part?.notes ?? []));
  }
  const cmake = readCMake(await cmakeFiles(files, question.file), question);
  const parts = [{ notes }, cmake, await setupPart(options, question)];
  return joinBuildParts(parts);
}

/** A setup.py beside the file or in a folder around it, the nearest one. */
async function setupPart(
  { files, readSetupFile }: BuildServiceOptions,
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

/** Scripts beside the file that are looked at for a call that loads it as an extension. */
const mostScripts = 20;

async function loadedPart(
  { files, readSetupFile }: Pick<BuildServiceOptions, "files" | "readSetupFile">,
  question: BuildQuestion,
): Promise<BuildPart> {
  const folder = question.file.includes("/") ? question.file.slice(0, question.file.lastIndexOf("/")) : "";
  if (readSetupFile === undefined) return {};
  const beside = (await files.list(folder, [".py"])).filter(
    (path) => path.slice(0, Math.max(0, path.lastIndexOf("/"))) === folder,
  );
  const parts: BuildPart[] = [];
  for (const file of beside.slice(0, mostScripts)) {
    const text = await readIfShown(files, file);
    if (text === undefined || !text.includes("cpp_extension")) continue;
    const place = { ...question, file, folder, source: question.file };
    parts.push(readSetupExtensions(await readSetupFile(text), place));
  }
  return joinBuildParts(parts);
}

/** From the top down to the file's folder. */
async function cmakeFiles(
  files: FileReader,
  file: string,
): Promise<readonly { readonly folder: string; readonly text: string }[]> {
  const parts = file.split("/").slice(0, -1);
  const folders = ["", ...parts.map((_, index) => parts.slice(0, index + 1).join("/"))];
  const read = await Promise.all(
    folders.map(async (folder) => ({
      folder,
      text: await readIfShown(files, folder === "" ? "CMakeLists.txt" : `${folder}/CMakeLists.txt`),
    })),
  );
  return read.flatMap(({ folder, text }) => (text === undefined ? [] : [{ folder, text }]));
}

interface Source {
  readonly file: string;
  /** Unsaved content; read from disk when left out. */
  readonly text: string | undefined;
}

/** Adds the folders in which the workspace, or its project, has what the source and its headers include. */
async function withInferredFolders(
  { files, project }: Pick<BuildServiceOptions, "files" | "project">,
  { file, text }: Source,
  known: BuildSettings,
): Promise<{ readonly settings: BuildSettings; readonly own: Readonly<Record<string, string>> }> {
  let settings = known;
  const headers = new HeaderSearch(files, project);
  const main = { path: file, text: text ?? (await readIfShown(files, file)) ?? "" };
  const pending = [main];
  const seen = new Set([file]);
  const own: Record<string, string> = { [file]: main.text };
  for (let source = pending.pop(); source !== undefined && seen.size < mostFiles; source = pending.pop()) {
    for (const included of includedNames(source.text)) {
      const find = async (): Promise<{ path: string; text: string } | undefined> => {
        const includeFolders = workspaceIncludeFolders(settings);
        const guesses = includeGuesses(source.path, included, { root: "", includeFolders });
        return (await firstOf(files, guesses)) ?? headers.ofProject(included.name, settings);
      };
      let found = await find();
      if (found === undefined && mayBeLocal(included)) {
        settings = joinBuildParts([settings, await headers.folderOf(included.name, source.path)]);
        found = await find();
      }
      if (included.name === openMp.header) settings = joinBuildParts([settings, openMpPart(source.path)]);
      if (found === undefined || seen.has(found.path)) continue;
      seen.add(found.path);
      if (!found.path.startsWith("/")) own[found.path] = found.text;
      pending.push(found);
    }
  }
  return { settings, own };
}

/** Its functions are in a library that the host compiler links with this option alone. */
const openMp = { header: "omp.h", word: "-Xcompiler=-fopenmp" } as const;

function openMpPart(path: string): BuildPart {
  const where = `${path} includes ${openMp.header}`;
  return { flags: [{ word: openMp.word, origin: "inferred", where }] };
}

async function firstOf(
  files: FileReader,
  paths: readonly string[],
): Promise<{ path: string; text: string } | undefined> {
  for (const path of paths) {
    const text = await readIfShown(files, path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}
