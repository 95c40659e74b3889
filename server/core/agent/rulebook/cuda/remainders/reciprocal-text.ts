import type { WholeType } from "./whole-types";

/** What a division takes of which numbers. */
export interface Division {
  readonly takes: "remainder" | "quotient";
  /** That both sides become. */
  readonly type: WholeType;
}

interface Words {
  readonly type: string;
  readonly zero: string;
  readonly high: string;
}

function wordsOf(type: WholeType): Words {
  return type.endsWith("long long")
    ? { type: "unsigned long long", zero: "0ull", high: "__umul64hi" }
    : { type: "unsigned", zero: "0u", high: "__umulhi" };
}

/** The declaration of a divisor's reciprocal. */
export function reciprocalText(type: WholeType, divisor: string, name: string): string {
  const { type: plain, zero } = wordsOf(type);
  const size = type === plain ? divisor : `(${divisor} < 0 ? ${zero} - ${divisor} : ${zero} + ${divisor})`;
  return `const ${plain} ${name} = ~${zero} / ${size};`;
}

/** A function that divides by a product with the reciprocal. */
export function divisionLines({ takes, type }: Division, name: string): readonly string[] {
  const { type: plain, zero, high } = wordsOf(type);
  const isSigned = type !== plain;
  const sizes = isSigned
    ? [
        `  const ${plain} whole = x < 0 ? ${zero} - x : ${zero} + x;`,
        `  const ${plain} by = divisor < 0 ? ${zero} - divisor : ${zero} + divisor;`,
      ]
    : [];
  const [whole, by] = isSigned ? ["whole", "by"] : ["x", "divisor"];
  const rest = `${whole} - quotient * ${by}`;
  const result = takes === "remainder" ? "rest" : "quotient";
  const sign = takes === "remainder" ? "x < 0" : "(x < 0) != (divisor < 0)";
  return [
    `// ${takes === "remainder" ? "x % divisor" : "x / divisor"}, with the reciprocal ~${zero} / divisor: the product's quotient is at most one too small.`,
    `static __device__ __forceinline__ ${type} ${name}(${type} x, ${type} divisor, ${plain} reciprocal) {`,
    ...sizes,
    ...(takes === "remainder"
      ? [
          `  const ${plain} quotient = ${high}(${whole}, reciprocal);`,
          `  ${plain} rest = ${rest};`,
          `  if (rest >= ${by}) rest -= ${by};`,
        ]
      : [`  ${plain} quotient = ${high}(${whole}, reciprocal);`, `  if (${rest} >= ${by}) ++quotient;`]),
    isSigned ? `  return (${type})(${sign} ? ${zero} - ${result} : ${result});` : `  return ${result};`,
    "}",
  ];
}
