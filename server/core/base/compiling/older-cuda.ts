interface OlderHeader {
  /** In the folder of our headers. */
  readonly file: string;
  /** What it gives back of what the compiler missed, and how the user is told of it. */
  readonly names: readonly string[];
  readonly note: string;
}

/** Our header for what CUDA 13 has no longer of its runtime, as its folder names it. */
export const olderCudaHeader = "kernelwright_older_cuda.h";

/** What compilers say of a name that CUDA 12 and older had. */
const complaints = [
  /identifier "(cudaThread(?:Synchronize|Exit)|__shfl(?:_up|_down|_xor)?)" is undefined/g,
  /[‘'](cudaThread(?:Synchronize|Exit))[’'] was not declared/g,
  /"cudaDeviceProp" has no member "(\w+)"/g,
  /cudaDeviceProp[’'] has no member named [‘'](\w+)[’']/g,
];

/** Functions that take a place now and took the number of a GPU before. */
const places =
  /to ["‘']cudaMemLocation["’'](?:[^\n]*\n){0,3}?[^\n]*?\b(cudaMemPrefetchAsync|cudaMemAdvise)\b/g;

/** What compilers say of variables of the type `texture<…>`. */
const textureReference =
  /identifier "texture" is undefined|\btexture is not a template|["‘']texture["’'] (?:is not a template|does not name a type)/;

/** Whether a compiler misses texture references, which CUDA 12 and later have no longer. */
export function missesTextureReferences(said: string): boolean {
  return textureReference.test(said);
}

/** What the assembler says of votes of the lanes that run. */
const withoutMask = /Instruction 'vote' without '\.sync' is not supported/;

function olderNames(said: string): readonly string[] {
  const found = complaints.flatMap((pattern) => [...said.matchAll(pattern)].map(([, name = ""]) => name));
  const moved = [...said.matchAll(places)].map(([, name = ""]) => `${name} of a GPU's number`);
  const votes = withoutMask.test(said) ? ["__any, __all and __ballot without a mask"] : [];
  return [...new Set([...found, ...moved, ...votes])];
}

/** Whether a compiler misses what `olderCudaHeader` gives back. */
export function missesOlderCuda(said: string): boolean {
  return olderNames(said).length > 0;
}

/** Our headers for what a compiler misses of CUDA 12 and older, which CUDA 13 has no longer. */
export function olderHeaders(said: string): readonly OlderHeader[] {
  const names = olderNames(said);
  const all = names.join(", ");
  const taken = /, /.test(all)
    ? "they are taken as older toolkits had them"
    : "it is taken as older toolkits had it";
  const older: OlderHeader = {
    file: olderCudaHeader,
    names,
    note: `CUDA 13 has no ${all} any more; ${taken}`,
  };
  const textures: OlderHeader = {
    file: "kernelwright_texture_references.h",
    names: missesTextureReferences(said) ? ["texture"] : [],
    note: "CUDA 13 has no texture references any more; they are taken as CUDA 11 had them",
  };
  return [older, textures].filter((header) => header.names.length > 0);
}
