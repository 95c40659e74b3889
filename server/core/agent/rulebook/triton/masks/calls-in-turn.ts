import { combinedInTurn, exponentialInTurn, greatestInTurn, type TurnValue } from "../../masked/turn-values";

/** Functions that give what they are given in another shape or type. */
const same = new Set([
  "to",
  "cast",
  "trans",
  "expand_dims",
  "reshape",
  "view",
  "broadcast_to",
  "broadcast",
  "multiple_of",
  "max_contiguous",
  "permute",
  "sum",
  "max",
]);
/** Functions that make numbers of numbers. */
const plain = new Set([
  ...[
    "arange",
    "min",
    "minimum",
    "abs",
    "sqrt",
    "rsqrt",
    "log",
    "log2",
    "sin",
    "cos",
    "tanh",
    "sigmoid",
    "erf",
  ],
  ...["pow", "cdiv", "program_id", "num_programs", "floor", "ceil", "div_rn", "fdiv", "rcp", "umulhi", "fma"],
  ...[
    "make_block_ptr",
    "advance",
    "static_assert",
    "static_print",
    "full_like",
    "range",
    "int",
    "float",
    "len",
  ],
  ...["argmax", "argmin", "softmax", "xor_sum", "clamp", "isnan", "flip", "debug_barrier", "device_assert"],
]);

type Maker = (first: TurnValue, second: TurnValue, third: TurnValue | undefined) => TurnValue;

const makers: Readonly<Record<string, Maker>> = {
  zeros: () => "zero",
  zeros_like: () => "zero",
  full: (_, value) => value,
  where: (condition, yes, no = "other") => chosen(condition, yes, no),
  dot: (left, right, sum = "zero") => combinedInTurn("+", combinedInTurn("*", left, right), sum),
  maximum: greatestInTurn,
  exp: exponentialInTurn,
  exp2: exponentialInTurn,
  fast_expf: exponentialInTurn,
};

/** What a call gives in a turn; undefined where the function may do more than give a value. */
export function calledInTurn(
  name: string,
  given: readonly TurnValue[],
  object: TurnValue | undefined,
): TurnValue | undefined {
  const all = object === undefined ? given : [object, ...given];
  const [first = "other", second = "other", third] = all;
  const maker = makers[name];
  if (maker !== undefined) return maker(first, second, third);
  if (name === "max" && isPair(given)) return greatestInTurn(first, second);
  if (same.has(name)) return first;
  return plain.has(name) ? "other" : undefined;
}

/** `max(a, b)`, where an axis would be a number. */
function isPair([, second]: readonly TurnValue[]): boolean {
  return second?.startsWith("before ") === true || second === "lowest";
}

function chosen(condition: TurnValue, yes: TurnValue, no: TurnValue): TurnValue {
  if (condition === "zero") return no;
  if (condition === "one" || yes === no) return yes;
  return "other";
}
