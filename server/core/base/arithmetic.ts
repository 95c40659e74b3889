/**
 * How a launch computes where it does not compute as a GPU does, to tell what rounding alone decides.
 * `exact-sums`: atomic sums of singles are rounded at their end alone: what a GPU's sums should come to.
 * `rough-conversions`: a whole number that becomes a single is off by a unit in the last place.
 * `rounded-up`, `rounded-down`: what an instruction would round to nearest goes to the number above, or
 * below, where it is not exact; a tie of exact numbers stays one. W. Kahan, How Futile are Mindless
 * Assessments of Roundoff in Floating-Point Computation (2006), finds so what rounding decides.
 */
export type Arithmetic = "exact-sums" | "rough-conversions" | "rounded-up" | "rounded-down";
