import { createHash } from "node:crypto";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PathRules, secretPatterns } from "../core/base/path-rules";
import type { ProgramRequest } from "../core/ports/program-runner";
import { buildPrelude, type BuildSettings, nvccWords } from "../core/workload/build-settings";
import { type BuildServiceOptions, createBuildService } from "./services/sources/build-service";
import { projectAround } from "./system/project-folder";
import { WorkspaceFiles } from "./system/workspace-files";

/** A program as it is compiled, and what was found about that and is not used. */
interface BuiltRequest {
  readonly request: ProgramRequest;
  readonly notes: readonly string[];
}

/**
 * A program with the options that its workspace says: the folder where it runs when it lies below it, else
 * its own folder. What the command line names counts before them.
 */
export async function withBuildSettings(request: ProgramRequest, cache: string): Promise<BuiltRequest> {
  const absolute = resolve(request.folder, request.file);
  if (!existsSync(absolute)) return { request, notes: [] };
  const inside = relative(request.folder, absolute);
  const isBelow =
    !inside.startsWith("..") && !isAbsolute(inside) && dirname(request.folder) !== request.folder;
  const named = isBelow ? request.folder : dirname(absolute);
  const top = realpathSync(named);
  const builds = createBuildService({
    files: new WorkspaceFiles(top, new PathRules(secretPatterns)),
    tops: [top, named],
    ...projectOf(top),
    given: { words: [], folder: top, where: "the command line" },
    findInstances: () => Promise.resolve([]),
  });
  const file = isBelow ? inside.split(sep).join("/") : basename(absolute);
  const settings = withoutNamed(await builds.settingsFor(file), request.compileOptions);
  const words = nvccWords(settings, (folder) => (isAbsolute(folder) ? folder : join(top, folder)));
  const prelude = buildPrelude(settings);
  const compileOptions = [
    ...request.compileOptions,
    ...words,
    ...(prelude === "" ? [] : ["-include", keptPrelude(prelude, cache)]),
  ];
  return { request: { ...request, compileOptions }, notes: settings.notes };
}

/** What may be included from around a workspace. */
export function projectOf(top: string): Pick<BuildServiceOptions, "project"> {
  const folder = projectAround(top);
  if (folder === undefined) return {};
  const workspace = relative(folder, top).split(sep).join("/");
  return { project: { folder, workspace, files: new WorkspaceFiles(folder, new PathRules(secretPatterns)) } };
}

/** The settings without what the words of a command line say themselves. */
function withoutNamed(settings: BuildSettings, words: readonly string[]): BuildSettings {
  const { standard, ...others } = settings;
  const macros = words.map((word) => /^(?:-[DU]|--(?:un)?define-macro=)(\w+)/.exec(word)?.[1]);
  const statesStandard = words.some((word) => /^--?std=/.test(word));
  return {
    ...others,
    ...(standard === undefined || statesStandard ? {} : { standard }),
    defines: settings.defines.filter(({ name }) => !macros.includes(name.replace(/\(.*/s, ""))),
  };
}

/** A file of that content, named by it: programs are built again when it is another. */
function keptPrelude(text: string, cache: string): string {
  const path = join(cache, "prelude", `${createHash("sha256").update(text).digest("hex")}.h`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
  return path;
}
