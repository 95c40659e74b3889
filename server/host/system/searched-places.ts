/** Folders that hold what tools made or keep, and nobody's kernels. */
export const ignoredFolders: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  "dist",
  "out",
  "build",
  "__pycache__",
  ".venv",
  "venv",
  ".kernelwright",
]);

/** How much of a workspace is looked at. */
export const searchLimits = {
  files: 20_000,
  folders: 20_000,
  /** Below this many folders nobody keeps kernels. */
  depth: 40,
  /** Of one source file. */
  bytes: 16 * 1024 * 1024,
} as const;
