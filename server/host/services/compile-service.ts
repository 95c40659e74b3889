import type { SourceTree } from "../../core/judge/candidate";
import type { Target } from "../../core/timing/target";
import type { CompiledFacts, Diagnostic } from "../../core/judge/verdict";
import type { FileReader } from "../../core/ports/files";
import type { BuildSettings } from "../../core/workload/build-settings";
import { drawIn, workspaceIncludeFolders } from "./sources/draw-in";
import type { BuildService, CompileService } from "./services";

/** Compiles one file of a tree for a target, every kernel in it. */
export interface FileCompiler {
  compileFile(request: {
    readonly file: string;
    readonly tree: SourceTree;
    readonly build: BuildSettings;
    readonly target: Target;
    readonly signal: AbortSignal;
  }): Promise<{
    readonly facts: readonly CompiledFacts[];
    readonly diagnostics: readonly Diagnostic[];
  }>;
}

const mostFiles = 400;

/**
 * Facts and diagnostics of a file as it stands in the editor, with the local files that it draws in as they
 * stand on disk.
 */
export function createCompileService(
  files: FileReader,
  builds: BuildService,
  compiler: FileCompiler,
): CompileService {
  return {
    facts: async ({ file, text, target, signal }) => {
      const build = await builds.settingsFor(file, text);
      const places = { root: "", includeFolders: workspaceIncludeFolders(build) };
      const bodies = await readAll(files, build.bodies ?? []);
      const tree = await drawIn(
        files,
        { ...bodies, [file]: text },
        places,
        (sofar) => Object.keys(sofar).length < mostFiles,
      );
      return { ...(await compiler.compileFile({ file, tree, build, target, signal })), notes: build.notes };
    },
  };
}

async function readAll(
  files: FileReader,
  bodies: readonly { readonly file: string }[],
): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for (const { file } of bodies) {
    const text = await files.read(file);
    if (text !== undefined) texts[file] = text;
  }
  return texts;
}
