import { expect, test } from "vitest";
import { moreMends, noMends } from "../../../server/host/worker/compile/mends";

const constexpr = `calling a constexpr __host__ function("max") from a __device__ function("tile") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.`;
const annotated = "__host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag";
const closure =
  "The closure type for a lambda cannot be used in the template argument type of a __global__ function template instantiation, unless the lambda is defined within a __device__ or __global__ function, or the flag '-extended-lambda' is specified and the lambda is an extended lambda";
const options = ["--expt-relaxed-constexpr", "--extended-lambda"];

test.each([
  { said: constexpr, options: ["--expt-relaxed-constexpr"] },
  { said: annotated, options: ["--extended-lambda"] },
  { said: closure, options: ["--extended-lambda"] },
  { said: `${closure}\n${constexpr}`, options },
  {
    said: `${constexpr}\nidentifier "__shfl_down" is undefined`,
    olderCuda: true,
    options: options.slice(0, 1),
  },
  { said: constexpr, given: options, none: true },
  { said: 'identifier "scale" is undefined', none: true },
  { said: 'no suitable conversion from "extended-lambda" to "int" exists', none: true },
])("what is compiled with after: $said", ({ said, given = [], none = false, ...expected }) => {
  const more = moreMends(noMends, said, given);
  expect(more).toEqual(none ? undefined : { olderCuda: false, ...expected });
  // What did not help is not tried again.
  expect(moreMends(more ?? noMends, said, given)).toBeUndefined();
});
