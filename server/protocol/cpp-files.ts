/**
 * Endings of C++ files, which hold CUDA in some projects. `.cu` and `.cuh` are not among them: those are CUDA
 * whatever they hold.
 */
export const cppEndings = [".h", ".hh", ".hpp", ".inl", ".cpp", ".cc", ".cxx"] as const;

/** True when a path's ending does not tell whether the file is CUDA. */
export function isPlainCpp(path: string): boolean {
  return cppEndings.some((ending) => path.endsWith(ending));
}

/** True for the text of a C++ file with a kernel or a device function. */
export function holdsCuda(text: string): boolean {
  return /\b__(?:global|device)__\b/.test(text);
}
