import { expect, test } from "vitest";
import {
  mayUseSpecialFunctions,
  missesSpecialFunctions,
} from "../../../server/core/base/compiling/special-functions";

const sources: readonly { readonly texts: readonly string[]; readonly may: boolean }[] = [
  { texts: ["#include <cmath>\nfloat f(float x) { return std::sqrt(x); }"], may: false },
  { texts: ["double f(double x) { return std::legendre(2, x); }"], may: true },
  { texts: ["double f(double x) { return ::std :: riemann_zetaf(x); }"], may: true },
  { texts: ["using std::cyl_bessel_j;"], may: true },
  // The factor of a product, and the library's names beside it.
  { texts: ["float gemm(float alpha, float beta);", "#include <vector>"], may: false },
  { texts: ["using namespace std;\nvector<float> all;"], may: false },
  { texts: ["float beta = 1;", "using namespace std;"], may: true },
  { texts: ["namespace s = ::std;", "auto f = s::hermite(2, 1.0);"], may: true },
  { texts: ["using namespace stdx;\nfloat beta;"], may: false },
];

test.each(sources)("$texts", ({ texts, may }) => {
  expect(mayUseSpecialFunctions(texts)).toBe(may);
});

const complaints: readonly { readonly said: string; readonly misses: boolean }[] = [
  { said: 'a.cu(3): error: namespace "std" has no member "expint"', misses: true },
  { said: "error: ‘ellint_1l’ is not a member of ‘std’", misses: true },
  { said: 'a.cu(3): error: identifier "alphabeta" is undefined', misses: false },
];

test.each(complaints)("$said", ({ said, misses }) => {
  expect(missesSpecialFunctions(said)).toBe(misses);
});
