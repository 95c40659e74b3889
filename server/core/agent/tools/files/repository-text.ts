import { OperationalError } from "../../../base/operational-error";
import { modelRules, outside, specPattern } from "../../../base/path-rules";
import type { Workbench } from "../tool";

/** What `search` looks through and `read_file` suggests. */
export const sourceSuffixes: readonly string[] = [
  ".cu",
  ".cuh",
  ".h",
  ".hpp",
  ".c",
  ".cc",
  ".cpp",
  ".py",
  ".ptx",
  ".md",
  ".txt",
  ".toml",
  ".json",
];

type RepositoryText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

/** True for what no model reads: spec files, which name the held-out shapes, and files that may hold keys. */
export function isHidden(path: string): boolean {
  return modelRules.hiding(path) !== undefined;
}

/** The scratch copy's version of a file, else the repository's. */
export async function textAt(path: string, workbench: Workbench): Promise<RepositoryText> {
  const pattern = modelRules.hiding(path);
  if (pattern === specPattern)
    return {
      kind: "refused",
      reason: `${path} cannot be read: what it says about the kernel stands in the task.`,
    };
  if (pattern !== undefined && pattern !== outside)
    return { kind: "refused", reason: `${path} cannot be read: it may hold keys.` };
  const edited = workbench.scratch.read(path);
  if (edited !== undefined) return { kind: "text", text: edited };
  try {
    const text = await workbench.files.read(path);
    return text === undefined ? { kind: "missing" } : { kind: "text", text };
  } catch (thrown) {
    if (thrown instanceof OperationalError && thrown.code !== "cancelled")
      return { kind: "refused", reason: `${path} cannot be read: ${thrown.forModel}` };
    throw thrown;
  }
}
