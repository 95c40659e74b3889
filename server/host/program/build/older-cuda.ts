/** In the folder of our headers. */
export const olderHeader = "kernelwright_older_cuda.h";

/** What compilers say of a name that the header gives back. */
const complaints = [
  /identifier "(cudaThread(?:Synchronize|Exit))" is undefined/g,
  /[‘'](cudaThread(?:Synchronize|Exit))[’'] was not declared/g,
  /"cudaDeviceProp" has no member "(\w+)"/g,
  /cudaDeviceProp[’'] has no member named [‘'](\w+)[’']/g,
];

/** Functions that take a place now and took the number of a GPU before. */
const places =
  /to ["‘']cudaMemLocation["’'](?:[^\n]*\n){1,3}?[^\n]*?\b(cudaMemPrefetchAsync|cudaMemAdvise)\b/g;

/** Names of CUDA 12 and older among a compiler's errors, which CUDA 13 has no longer. */
export function olderNames(said: string): readonly string[] {
  const found = complaints.flatMap((pattern) => [...said.matchAll(pattern)].map(([, name = ""]) => name));
  const moved = [...said.matchAll(places)].map(([, name = ""]) => `${name} of a GPU's number`);
  return [...new Set([...found, ...moved])];
}
