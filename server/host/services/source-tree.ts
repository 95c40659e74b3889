import { at } from "../../core/base/known";
import type { SourceTree } from "../../core/judge/candidate";
import type { KernelSpec } from "../../core/workload/spec";
import { normalizePath } from "../../core/base/path-rules";
import { localReferences } from "../../core/language/local-files";
import type { FileReader } from "../../core/ports/files";
import { OperationalError } from "../../core/base/operational-error";

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

/** Files that the spec names: the kernel's, the entry's, the reference's, what else may be edited. */
function namedFiles(spec: KernelSpec): readonly string[] {
  const entry = spec.run.kind === "entry" ? [at(spec.run.entry.call.split("::"), 0)] : [];
  const reference = spec.reference.kind === "callable" ? [at(spec.reference.callable.split("::"), 0)] : [];
  return [spec.file, ...entry, ...reference, ...(spec.editable ?? [])];
}

/** The tree of a task: what the spec names and, from there, every local include and import, up to a limit. */
export async function readSourceTree(
  files: FileReader,
  spec: KernelSpec,
  specFolder: string,
): Promise<SourceTree> {
  const named = new Set(namedFiles(spec).map((file) => pathFromSpec(specFolder, file)));
  const pending = [...named];
  const tree: Record<string, string> = {};
  let characters = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (tree[path] !== undefined) continue;
    const text = await readUnlessHidden(files, path, named.has(path));
    if (text === undefined) {
      if (named.has(path))
        throw new OperationalError("file-not-found", {
          forUser: `${path} is named by the kernel spec, but there is no such file.`,
        });
      continue;
    }
    tree[path] = text;
    characters += text.length;
    if (Object.keys(tree).length > mostFiles || characters > mostCharacters) {
      throw new OperationalError("spec-invalid", {
        forUser: `${spec.file} draws in more than ${mostFiles} files or ${mostCharacters} characters of the workspace: name a smaller kernel file.`,
      });
    }
    pending.push(...localReferences(path, text, specFolder));
  }
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * A file of the tree. One that is only included or imported and may not be shown counts as missing: the
 * compiler says so at the line that wants it. Throws `path-excluded` for one that the spec names.
 */
async function readUnlessHidden(
  files: FileReader,
  path: string,
  isNamed: boolean,
): Promise<string | undefined> {
  try {
    return await files.read(path);
  } catch (thrown) {
    if (!isNamed && thrown instanceof OperationalError && thrown.code === "path-excluded") return undefined;
    throw thrown;
  }
}
