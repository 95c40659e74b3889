import { compact, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import {
  combinedInTurn,
  exponentialInTurn,
  greatestInTurn,
  numberInTurn,
  type TurnValue,
} from "../../masked/turn-values";

const exponential = /^(?:__expf|expf?|exp2f?|hexp2?)$/;
const greatest = /^(?:f?maxf?|__hmax2?)$/;
const multiplyAdd = /^(?:fmaf?|__fmaf_rn|__fma_rn|__hfma2?)$/;
const conversion = new RegExp(
  [
    /^(?:static_cast<[\w:\s]+>|float|double|int|__[fdiu]+2[a-z]+_r[nzdu])$/,
    /^__(?:half2?|bfloat16|bfloat162|float2?)2?(?:float|half|bfloat16)2?(?:_rn)?$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
const shuffle = /^__shfl_\w+_sync$/;
const barrier = /^(?:__syncthreads|__syncwarp|__builtin_assume)$/;
/** Functions that make numbers of numbers. */
const numeric = [
  ...[
    "log",
    "sqrt",
    "rsqrt",
    "cbrt",
    "min",
    "abs",
    "labs",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "pow",
  ],
  ...["floor", "ceil", "trunc", "rint", "round", "rcp", "frcp", "div", "fdiv", "fdivide", "mul", "fmul"],
  ...["mul24", "umul24", "umulhi", "mulhi", "add", "fadd", "sub", "fsub", "ldg", "ldcs", "ldca", "ldcg"],
  ...["clz", "popc", "erf", "erfc", "mod", "dim", "copysign", "saturate", "isinf", "isnan", "isfinite"],
];
const plain = new RegExp(`^(?:__)?[fhui]?(?:${numeric.join("|")})[a-z0-9]*(?:_r[nzdu])?$`);

const greatestNumbers = [
  ...["INFINITY", "CUDART_INF(?:_F)?", "HUGE_VALF?", "FLT_MAX", "DBL_MAX", "FLT_INF", "inf", "INF"],
  ...["std::numeric_limits<\\w+>::(?:infinity|max)\\(\\)", "__int_as_float\\(0x7f800000\\)"],
];
const lowest = new RegExp(`^-(?:${greatestNumbers.join("|")})$`);
const lowestCall =
  /^(?:std::numeric_limits<\w+>::lowest\(\)|__int_as_float\(0xff800000u?\)|NEG_INF(?:INITY)?)$/i;

/** The lowest numbers by their names. */
export function namedInTurn(text: string): TurnValue | undefined {
  if (lowest.test(text) || lowestCall.test(text)) return "lowest";
  return /^-[\d.]+(?:[eE][+-]?\d+)?[fFlL]?$/.test(text) ? numberInTurn(Number.parseFloat(text)) : undefined;
}

/** What a call gives in a turn; undefined where the function may do more than give a number. */
export function calledInTurn(
  call: SyntaxNode,
  valueOf: (node: SyntaxNode) => TurnValue,
): TurnValue | undefined {
  const known = namedInTurn(compact(call));
  if (known !== undefined) return known;
  const callee = compact(call.childForFieldName("function")).replace(/^(?:std::|::)/, "");
  const given = partsOf(call.childForFieldName("arguments")).map(valueOf);
  const [first = "other", second = "other", third = "other"] = given;
  if (barrier.test(callee)) return "other";
  if (exponential.test(callee)) return exponentialInTurn(first);
  if (greatest.test(callee.replace(/<.*>$/, ""))) return greatestInTurn(first, second);
  if (multiplyAdd.test(callee)) return combinedInTurn("+", combinedInTurn("*", first, second), third);
  if (conversion.test(callee)) return first;
  // All lanes of the warp are behind the limit, so that another lane has the same.
  if (shuffle.test(callee)) return second.startsWith("before ") ? "other" : second;
  return plain.test(callee) ? "other" : undefined;
}
