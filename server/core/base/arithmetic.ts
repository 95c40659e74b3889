/**
 * How a launch computes where it does not compute as a GPU does, to tell what rounding alone decides.
 * `exact-sums`: atomic sums of singles are rounded at their end alone: what a GPU's sums should come to.
 * `rough-conversions`: a whole number that becomes a single is off by a unit in the last place.
 */
export type Arithmetic = "exact-sums" | "rough-conversions";
