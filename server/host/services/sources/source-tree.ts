import type { SourceTree } from "../../../core/judge/candidate";
import { type BuildSettings, noBuildSettings } from "../../../core/workload/build-settings";
import { compiledFile, fileOfCall, type KernelSpec, programSources } from "../../../core/workload/spec";
import { normalizePath } from "../../../core/base/path-rules";
import { namedFiles } from "../../../core/workload/command/named-files";
import type { FileReader } from "../../../core/ports/files";
import { OperationalError } from "../../../core/base/operational-error";
import type { BuildService } from "../services";
import { drawIn, workspaceIncludeFolders } from "./draw-in";
import { matchingFiles } from "./matching-files";

const mostFiles = 400;
const mostCharacters = 8 * 1024 * 1024;

/** Workspace-relative path of a file that the spec names relative to its own folder. */
export function pathFromSpec(specFolder: string, file: string): string {
  const path = normalizePath(`${specFolder}/${file}`);
  if (path === undefined)
    throw new OperationalError("path-outside-workspace", {
      forUser: `The spec names ${file}, which is outside of the workspace folder.`,
    });
  return path;
}

/**
 * Files that the spec names for its run: the kernel's, the one that includes it, the entry's, the program's,
 * the reference's.
 */
function filesOfRun(spec: KernelSpec): readonly string[] {
  const entry =
    spec.run.kind === "entry" ? [fileOfCall(spec.run.entry.call), ...(spec.run.entry.sources ?? [])] : [];
  const includer =
    spec.run.kind === "launch" && spec.run.launch.includedBy !== undefined
      ? [spec.run.launch.includedBy]
      : [];
  const reference = spec.reference.kind === "callable" ? [fileOfCall(spec.reference.callable)] : [];
  const program = spec.program === undefined ? [] : programSources(spec.program);
  return [spec.file, ...entry, ...includer, ...program, ...reference];
}

/** What the sources of a spec are compiled with: as its program is, where a capture made it. */
export function buildSettingsOf(
  builds: BuildService,
  { spec, specFolder }: { readonly spec: KernelSpec; readonly specFolder: string },
): Promise<BuildSettings> {
  const { run, dialect } = spec;
  const isCalled = run.kind === "entry" && dialect === "cuda";
  const main = pathFromSpec(specFolder, isCalled ? fileOfCall(run.entry.call) : compiledFile(spec));
  const options = (spec.program?.compileOptions ?? []).filter((word) => word.startsWith("-"));
  return builds.settingsFor(main, undefined, options);
}

/**
 * The tree of a task: what the spec and the user name, by path or by pattern, and, from there, every local
 * include and import, up to a limit. `mayTouch`: workspace-relative.
 */
export async function readSourceTree(
  files: FileReader,
  { spec, specFolder }: { readonly spec: KernelSpec; readonly specFolder: string },
  build: BuildSettings | undefined,
  mayTouch: readonly string[] = [],
): Promise<SourceTree> {
  const paths = filesOfRun(spec).map((file) => pathFromSpec(specFolder, file));
  const [bySpec, byUser] = [namedFiles(spec.editable ?? [], specFolder), namedFiles(mayTouch)];
  const matching = await matchingFiles(files, [...bySpec.patterns, ...byUser.patterns]);
  return readTree(files, [...paths, ...bySpec.files, ...byUser.files, ...matching], { specFolder, build });
}

/** The files at these paths of the workspace and all that they include or import, up to a limit. */
export async function readTree(
  files: FileReader,
  paths: readonly string[],
  { specFolder, build }: { readonly specFolder: string; readonly build: BuildSettings | undefined },
): Promise<SourceTree> {
  const named: Record<string, string> = {};
  const bodies = (build?.bodies ?? []).flatMap(({ file, of }) => (paths.includes(of) ? file : []));
  for (const path of new Set([...paths, ...bodies])) {
    const text = await files.read(path);
    if (text === undefined)
      throw new OperationalError("file-not-found", {
        forUser: `${path} is named by the kernel spec or was chosen to be edited, but there is no such file.`,
      });
    named[path] = text;
  }
  const places = {
    root: specFolder,
    includeFolders: [...workspaceIncludeFolders(build ?? noBuildSettings), ""],
  };
  const tree = await drawIn(files, named, places, (sofar) => {
    const texts = Object.values(sofar);
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    if (texts.length <= mostFiles && characters <= mostCharacters) return true;
    throw new OperationalError("spec-invalid", {
      forUser: `${paths.join(", ")} draws in more than ${mostFiles} files or ${mostCharacters} characters of the workspace: name a smaller kernel file.`,
    });
  });
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}
