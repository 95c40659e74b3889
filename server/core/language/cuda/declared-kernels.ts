import { withoutComments } from "./kernel-text";

const declaration =
  /\b__global__\s+(?:[\w:]+\s+|__launch_bounds__\s*\([^()]*\)\s*)*?([A-Za-z_]\w*)\s*\([^;{}]*\)\s*;/g;

/** Names of the kernels that a CUDA source declares and leaves to another file to define. */
export function declaredKernels(path: string, text: string): readonly string[] {
  if (path.endsWith(".py")) return [];
  const code = withoutComments(text);
  const names = [...code.matchAll(declaration)].map(([, name = ""]) => name);
  return [...new Set(names)].filter((name) => name !== "__launch_bounds__");
}
