import { type Outcome, fail, succeed } from "../../base/outcome";
import type { PtxProblem } from "./module";

export interface Token {
  readonly kind: "word" | "integer" | "float" | "string" | "mark" | "end";
  readonly text: string;
  readonly line: number;
}

/** Larger texts are refused: the biggest module that a compiler emitted for us was a hundredth of this. */
const maximumLength = 32 * 1024 * 1024;
const maximumTokens = 2_000_000;

const pattern = new RegExp(
  [
    "(?<space>[ \\t\\r\\f]+|//[^\\n]*)",
    "(?<newline>\\n)",
    "(?<comment>/\\*)",
    "(?<float>0[fF][0-9a-fA-F]{8}(?![0-9a-fA-F])|0[dD][0-9a-fA-F]{16}(?![0-9a-fA-F])|\\d+\\.\\d*(?:[eE][+-]?\\d+)?|\\d+[eE][+-]?\\d+)",
    "(?<integer>0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|\\d+U?)",
    "(?<word>\\.[%$_A-Za-z][\\w$]*(?:::\\w+)*|[%$_A-Za-z][\\w$]*(?:(?:\\.|::)\\w+)*)",
    '(?<string>"[^"\\n]*")',
    "(?<mark>[-+*/<>(){}\\[\\],;:|!@=~&^?])",
  ].join("|"),
  "y",
);

/**
 * Splits PTX text into tokens (PTX ISA section 4.1 to 4.5). A word keeps its dotted tail, so that `ld.global.f32` and `%tid.x` are
 * one token each; directives such as `.reg.b16` are not. Linear in the length of the text.
 */
export function tokenize(text: string): Outcome<readonly Token[], PtxProblem> {
  if (text.length > maximumLength) return fail({ message: `the text is larger than ${maximumLength} characters`, line: 1 });
  const tokens: Token[] = [];
  let line = 1;
  let at = 0;
  const scanner = new RegExp(pattern.source, "y");
  while (at < text.length) {
    scanner.lastIndex = at;
    const groups = scanner.exec(text)?.groups;
    if (!groups) return fail({ message: `unexpected character ${JSON.stringify(text.slice(at, at + 1))}`, line });
    at = scanner.lastIndex;
    if (groups["newline"] !== undefined) line += 1;
    else if (groups["comment"] !== undefined) {
      const end = text.indexOf("*/", at);
      if (end < 0) return fail({ message: "a comment has no end", line });
      for (let index = text.indexOf("\n", at); index >= 0 && index < end; index = text.indexOf("\n", index + 1)) line += 1;
      at = end + 2;
    } else if (groups["space"] === undefined) tokens.push(toToken(groups, line));
    if (tokens.length > maximumTokens) return fail({ message: `the text has more than ${maximumTokens} words and marks`, line });
  }
  tokens.push({ kind: "end", text: "end of text", line });
  return succeed(tokens);
}

function toToken(groups: Readonly<Record<string, string | undefined>>, line: number): Token {
  for (const kind of ["word", "integer", "float", "mark"] as const) {
    const found = groups[kind];
    if (found !== undefined) return { kind, text: found, line };
  }
  return { kind: "string", text: (groups["string"] ?? "").slice(1, -1), line };
}

/** The bits of a floating-point literal: `0f…` and `0d…` are exact bits, a decimal one is a double (PTX ISA section 4.5.2). */
export function floatBits(text: string): { readonly size: 32 | 64; readonly bits: bigint } {
  const prefix = text.slice(0, 2).toLowerCase();
  if (prefix === "0f") return { size: 32, bits: BigInt(`0x${text.slice(2)}`) };
  if (prefix === "0d") return { size: 64, bits: BigInt(`0x${text.slice(2)}`) };
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number(text));
  return { size: 64, bits: view.getBigUint64(0) };
}

/** The value of an integer literal (PTX ISA section 4.5.1); octal when it starts with a zero. */
export function integerValue(text: string): bigint {
  const digits = text.endsWith("U") ? text.slice(0, -1) : text;
  if (/^0[0-7]+$/.test(digits)) return BigInt(`0o${digits.slice(1)}`);
  return BigInt(digits);
}
