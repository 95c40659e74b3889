import { type Outcome, fail, succeed } from "../../base/outcome";
import type { PtxProblem } from "./module";

export interface Token {
  readonly kind: "word" | "integer" | "float" | "string" | "mark" | "end";
  readonly text: string;
  readonly line: number;
}

/** Larger texts are refused: the biggest module that a compiler emitted for us was a hundredth of this. */
const maximumLength = 32 * 1024 * 1024;
const maximumTokens = 8_000_000;

const patterns = {
  float:
    /0[fF][0-9a-fA-F]{8}(?![0-9a-fA-F])|0[dD][0-9a-fA-F]{16}(?![0-9a-fA-F])|\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+/y,
  integer: /0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|\d+U?/y,
  word: /\.[%$_A-Za-z][\w$]*(?:::\w+)*|[%$_A-Za-z][\w$]*(?:(?:\.|::)\w+)*/y,
  string: /"[^"\n]*"/y,
} as const;

/** What a character begins; for a comment, white space or a mark no pattern is needed. */
type Lexeme = keyof typeof patterns | "space" | "newline" | "slash" | "mark" | "joint";

const single: ReadonlyMap<string, Lexeme> = new Map([
  ["\n", "newline"],
  ["/", "slash"],
  ['"', "string"],
]);

function lexemeOf(character: string): Lexeme | undefined {
  if (/[%$_A-Za-z.]/.test(character)) return "word";
  if (/\d/.test(character)) return "integer";
  if (/[ \t\r\f]/.test(character)) return "space";
  if ("{}:".includes(character)) return "joint";
  if ("-+*<>()[],;|!@=~&^?".includes(character)) return "mark";
  return single.get(character);
}

/** By a character's code; undefined for characters that PTX does not have. */
const lexemes = Array.from({ length: 128 }, (_, code) => lexemeOf(String.fromCharCode(code)));

/** The end of a match that starts at `at`; -1 when there is none. */
function endOf(kind: keyof typeof patterns, text: string, at: number): number {
  const pattern = patterns[kind];
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The token of several characters that begins at a place, strings without quotes; undefined for none. */
function tokenAt(lexeme: keyof typeof patterns, text: string, at: number, line: number): Token | undefined {
  const float = lexeme === "integer" ? endOf("float", text, at) : -1;
  if (float >= 0) return { kind: "float", text: text.slice(at, float), line };
  const end = endOf(lexeme, text, at);
  if (end < 0) return undefined;
  const isString = lexeme === "string";
  return { kind: lexeme, text: isString ? text.slice(at + 1, end - 1) : text.slice(at, end), line };
}

/**
 * Where a comment that begins at `at` ends, before the newline of one to the end of the line; `at` when none
 * begins there, -1 when it has no end.
 */
function endOfComment(text: string, at: number): number {
  const second = text.charAt(at + 1);
  if (second !== "/" && second !== "*") return at;
  const end = text.indexOf(second === "*" ? "*/" : "\n", at + 2);
  if (second === "*") return end < 0 ? -1 : end + 2;
  return end < 0 ? text.length : end;
}

/**
 * Newlines in a part of the text. What lies behind the part is not looked at, so that many short comments
 * cost their own length.
 */
function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index += 1) if (text.charCodeAt(index) === 10) count += 1;
  return count;
}

/** A text in tokens. */
export interface Tokens {
  readonly tokens: readonly Token[];
  /** Where the braces and colons are among them, in order: enough to find the labels of a scope. */
  readonly joints: readonly number[];
}

function unexpected(text: string, at: number, line: number): Outcome<Tokens, PtxProblem> {
  return fail({ message: `unexpected character ${JSON.stringify(text.slice(at, at + 1))}`, line });
}

/**
 * Splits PTX text into tokens (PTX ISA section 4.1 to 4.5). A word keeps its dotted tail, so that
 * `ld.global.f32` and `%tid.x` are one token each; directives such as `.reg.b16` are not. Linear in the
 * length of the text.
 */
export function tokenize(text: string): Outcome<Tokens, PtxProblem> {
  return text.length > maximumLength
    ? fail({ message: `the text is larger than ${maximumLength} characters`, line: 1 })
    : tokensOf(text);
}

function tokensOf(text: string): Outcome<Tokens, PtxProblem> {
  const tokens: Token[] = [];
  const joints: number[] = [];
  let line = 1;
  for (let at = 0, end = 0; at < text.length; at = end) {
    const lexeme = lexemes[text.charCodeAt(at)];
    end = at + 1;
    switch (lexeme) {
      case "space":
        continue;
      case "newline":
        line += 1;
        continue;
      case "word": {
        end = endOf("word", text, at);
        if (end < 0) return unexpected(text, at, line);
        tokens.push({ kind: "word", text: text.slice(at, end), line });
        break;
      }
      case "mark":
        tokens.push({ kind: "mark", text: text.charAt(at), line });
        break;
      case "joint":
        joints.push(tokens.push({ kind: "mark", text: text.charAt(at), line }) - 1);
        break;
      case "slash":
        end = endOfComment(text, at);
        if (end < 0) return fail({ message: "a comment has no end", line });
        line += newlines(text, at, end);
        if (end > at) continue;
        tokens.push({ kind: "mark", text: "/", line });
        end += 1;
        break;
      default: {
        const token = lexeme && tokenAt(lexeme, text, at, line);
        if (!token) return unexpected(text, at, line);
        tokens.push(token);
        end = at + token.text.length + (token.kind === "string" ? 2 : 0);
      }
    }
    if (tokens.length > maximumTokens)
      return fail({ message: `the text has more than ${maximumTokens} words and marks`, line });
  }
  tokens.push({ kind: "end", text: "end of text", line });
  return succeed({ tokens, joints });
}

/**
 * The bits of a floating-point literal: `0f…` and `0d…` are exact bits, a decimal one is a double (PTX ISA
 * section 4.5.2).
 */
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
