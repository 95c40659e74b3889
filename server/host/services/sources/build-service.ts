import { includedNames, includeGuesses } from "../../../core/language/local-files";
import { OperationalError } from "../../../core/base/operational-error";
import type { FileReader } from "../../../core/ports/files";
import { type BuildPart, type BuildSettings, joinBuildParts } from "../../../core/workload/build-settings";
import { neededStandard } from "../../../core/workload/build/standard";
import { mayBeLocal } from "../../../core/workload/build/include-search";
import { readOptionWords } from "../../../core/workload/build/option-words";
import {
  parseProjectFile,
  projectBuildPart,
  projectFileName,
} from "../../../core/workload/build/project-file";
import { type BuildFileReaders, builtPart } from "./build-files";
import type { InstanceFinder } from "./kernel-instances";
import { readIfShown, workspaceIncludeFolders } from "./draw-in";
import { deviceBodies } from "./device-bodies";
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

export interface BuildServiceOptions extends BuildFileReaders {
  /** The workspace's folder as the user names it, and resolved. */
  readonly tops: readonly string[];
  /** The project that the workspace is a part of, where it is larger. */
  readonly project?: Project;
  readonly given: GivenOptions;
  readonly findInstances: InstanceFinder;
}

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
      const instances = await options.findInstances(options.files, own);
      const folders = ["include", "src", ...workspaceIncludeFolders(settings)];
      const bodies = await deviceBodies(options.files, { file, own }, folders);
      return joinBuildParts([settings, { instances, bodies }, neededStandard(own)]);
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
