import type { BuildPart } from "../build-settings";

/** Endings of files that sources include. */
export const includedSuffixes: readonly string[] = [
  ".h",
  ".hh",
  ".hpp",
  ".hxx",
  ".cuh",
  ".inl",
  ".inc",
  ".ipp",
  ".tpp",
  ".cu",
];

/** How the names of headers begin that compilers, the toolkit, Python and torch have. */
const foreign = [
  ...["cuda", "cub/", "thrust/", "nv", "crt/", "cooperative_groups", "mma.h", "sm_", "math", "device_"],
  ...["driver_", "vector_", "texture_", "surface_", "cublas", "cufft", "curand", "cusparse", "cusolver"],
  ...[
    "cudnn",
    "cutensor",
    "cupti",
    "std",
    "assert.h",
    "string.h",
    "time.h",
    "errno.h",
    "limits.h",
    "float.h",
  ],
  ...["signal.h", "ctype.h", "unistd.h", "sys/", "omp.h", "torch/", "ATen/", "c10/", "pybind11/", "Python.h"],
];

/** Whether a workspace may hold this file: `<vector>` is the compiler's. */
export function mayBeLocal({ name, quoted }: { readonly name: string; readonly quoted: boolean }): boolean {
  return quoted || (name.includes(".") && !foreign.some((start) => name.startsWith(start)));
}

/**
 * The folder to search for an included name that no folder known so far has: `include` or `src` at the top,
 * else the nearest one to the
 * includer. `headers`: paths of the workspace's headers. Several folders are a
 * note.
 */
export function folderOfIncluded(
  name: string,
  headers: readonly string[],
  includer: string,
  near = includer,
): BuildPart {
  const folders = headers
    .filter((path) => path === name || path.endsWith(`/${name}`))
    .map((path) => path.slice(0, -name.length).replace(/\/$/, ""));
  const usual = usualFolders.find((folder) => folders.includes(folder));
  const [first, ...others] = usual === undefined ? nearest(folders, near) : [usual];
  if (first === undefined) return {};
  const where = `${includer} includes ${name}`;
  if (others.length === 0) return { includeFolders: [{ folder: first, origin: "inferred", where }] };
  const shown = folders.slice(0, mostShown).join(", ");
  return {
    notes: [
      `${where}, which lies in several folders (${shown}${folders.length > mostShown ? ", …" : ""}): name one under "includeFolders" in kernelwright.json, or with -I`,
    ],
  };
}

/** Those that share the most folders with a path. */
function nearest(folders: readonly string[], near: string): readonly string[] {
  const own = near.split("/").slice(0, -1);
  const shared = (folder: string): number => {
    const apart = folder.split("/").findIndex((part, depth) => own[depth] !== part);
    return apart < 0 ? own.length : apart;
  };
  const most = Math.max(...folders.map(shared));
  return folders.filter((folder) => shared(folder) === most);
}

const usualFolders = ["include", "src", ""];
const mostShown = 4;
