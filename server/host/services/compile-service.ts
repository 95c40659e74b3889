import type { SourceTree } from "../../core/judge/candidate";
import type { Target } from "../../core/timing/target";
import type { CompiledFacts, Diagnostic } from "../../core/judge/verdict";
import { localReferences } from "../../core/language/local-files";
import type { FileReader } from "../../core/ports/files";
import type { CompileService } from "./services";

/** Compiles one file of a tree for a target, every kernel in it. */
export interface FileCompiler {
  compileFile(request: {
    readonly file: string;
    readonly tree: SourceTree;
    readonly target: Target;
    readonly signal: AbortSignal;
  }): Promise<{
    readonly facts: readonly CompiledFacts[];
    readonly diagnostics: readonly Diagnostic[];
  }>;
}

const mostFiles = 100;

/**
 * Facts and diagnostics of a file as it stands in the editor, with the local files that it draws in as they
 * stand on disk.
 */
export function createCompileService(files: FileReader, compiler: FileCompiler): CompileService {
  return {
    facts: async ({ file, text, target, signal }) => {
      const tree: Record<string, string> = { [file]: text };
      const pending = [...localReferences(file, text, "")];
      for (
        let path = pending.pop();
        path !== undefined && Object.keys(tree).length < mostFiles;
        path = pending.pop()
      ) {
        if (tree[path] !== undefined) continue;
        const content = await files.read(path);
        if (content === undefined) continue;
        tree[path] = content;
        pending.push(...localReferences(path, content, ""));
      }
      return compiler.compileFile({ file, tree, target, signal });
    },
  };
}
