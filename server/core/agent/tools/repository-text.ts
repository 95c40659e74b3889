import { OperationalError } from "../../base/operational-error";
import type { Workbench } from "./tool";

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

export type RepositoryText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly reason: string };

/** Spec files name the hidden shapes: they are not for the model, which gets what it may know in its task. */
export function isHidden(path: string): boolean {
  return /\.kernel\.json$/i.test(path);
}

/** The scratch copy's version of a file, else the repository's. */
export async function textAt(path: string, workbench: Workbench): Promise<RepositoryText> {
  if (isHidden(path))
    return {
      kind: "refused",
      reason: `${path} cannot be read: what it says about the kernel stands in the task.`,
    };
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
