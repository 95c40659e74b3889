/**
 * A header of the host's C++ library that stands in front of its own: what <cmath> includes for the special
 * functions of mathematics (`std::legendre` and the like), without these. They are a sixth of what compilers
 * read for a short CUDA source, as every one includes <cmath>, and hardly any calls them. What else that
 * header brings stays. Libraries other than GNU's have no header of this name.
 */
export const plainMathHeader = {
  /** As <cmath> includes it. */
  path: "bits/specfun.h",
  text: `#pragma GCC system_header
#include <bits/stl_algobase.h>
#include <limits>
#include <type_traits>
`,
} as const;

/** [sf.cmath] of C++17, each also for `float` and `long double` by a letter behind its name. */
const names =
  "(?:assoc_laguerre|assoc_legendre|beta|comp_ellint_[123]|cyl_bessel_[ijk]|cyl_neumann|ellint_[123]|expint|" +
  "hermite|laguerre|legendre|riemann_zeta|sph_bessel|sph_legendre|sph_neumann)[fl]?";

const anyName = new RegExp(`\\b${names}\\b`);
const nameOfLibrary = new RegExp(`\\bstd\\s*::\\s*${names}\\b`);
/** All names of the library without its own, or under another one. */
const opensLibrary = /\busing\s+namespace\s+(?:::\s*)?std\b|\bnamespace\s+\w+\s*=\s*(?:::\s*)?std\b/;

/**
 * Whether one of the functions may be meant somewhere in the texts that are compiled together. `beta` alone,
 * the factor of a product, does not mean the library's.
 */
export function mayUseSpecialFunctions(texts: readonly string[]): boolean {
  if (texts.some((text) => nameOfLibrary.test(text))) return true;
  return texts.some((text) => opensLibrary.test(text)) && texts.some((text) => anyName.test(text));
}

/** Whether what a compiler says of a source that does not compile may be for the lack of them. */
export function missesSpecialFunctions(said: string): boolean {
  return anyName.test(said);
}
