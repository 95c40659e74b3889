/** Files of a workspace by their paths, and the kernel that is looked at. */
export interface Workspace {
  readonly files: ReadonlyMap<string, string>;
  /** Path of the kernel's file. */
  readonly file: string;
  readonly kernel: string;
}

/**
 * One way to write the same kernel otherwise. Gives undefined where the source has nothing to rewrite, so
 * that every result differs from what it was made of.
 */
export interface Mutation {
  readonly name: string;
  apply(workspace: Workspace): Workspace | undefined;
}

/** Text of the kernel's file. */
export function kernelText({ files, file }: Workspace): string {
  return files.get(file) ?? "";
}

/** The workspace with another text in the kernel's file; undefined where it is the same text. */
export function withKernelText(workspace: Workspace, text: string): Workspace | undefined {
  if (text === kernelText(workspace)) return undefined;
  return { ...workspace, files: new Map([...workspace.files, [workspace.file, text]]) };
}

/** The workspace with every source rewritten; undefined where nothing changes. */
export function withEachText(
  workspace: Workspace,
  isSource: (path: string) => boolean,
  rewrite: (text: string) => string,
): Workspace | undefined {
  const files = new Map(
    [...workspace.files].map(([path, text]) => [path, isSource(path) ? rewrite(text) : text]),
  );
  const changed = [...files].some(([path, text]) => text !== workspace.files.get(path));
  return changed ? { ...workspace, files } : undefined;
}

/** A mutation of the kernel's file alone. */
export function rewriting(name: string, rewrite: (text: string, kernel: string) => string): Mutation {
  return {
    name,
    apply: (workspace) => withKernelText(workspace, rewrite(kernelText(workspace), workspace.kernel)),
  };
}

/** An identifier, where it stands as a whole word. */
export function word(name: string): RegExp {
  return new RegExp(`(?<![\\w.>])${name}(?!\\w)`, "g");
}

/** Offset behind the bracket that closes the one at `open`; undefined where none does. */
export function closing(text: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if ("([{".includes(text.charAt(at))) depth += 1;
    if (")]}".includes(text.charAt(at))) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** Parts of a list, split at commas that stand in no bracket. */
export function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ("([{".includes(text.charAt(at))) depth += 1;
    if (")]}".includes(text.charAt(at))) depth -= 1;
    if (depth !== 0 || text.charAt(at) !== ",") continue;
    parts.push(text.slice(from, at).trim());
    from = at + 1;
  }
  return [...parts, text.slice(from).trim()];
}
