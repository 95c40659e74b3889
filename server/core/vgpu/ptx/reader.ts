import { type Token, floatBits, integerValue } from "./lexer";

/** Carries a problem out of nested parsing functions; `parsePtx` turns it into a value. */
export class PtxSyntaxError extends Error {
  override readonly name = "PtxSyntaxError";
  constructor(message: string, readonly line: number) {
    super(message);
  }
}

const longestInteger = 64;
/** Bytes of all variables of a module that have an initialiser; more is refused as absurd. */
const mostInitialised = 1 << 28;

/** A cursor over tokens. */
export class TokenReader {
  private at = 0;
  private initialised = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  peek(ahead = 0): Token {
    const token = this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)];
    if (!token) throw new PtxSyntaxError("the text is empty", 1);
    return token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind === "end") throw new PtxSyntaxError("the text ends too early", token.line);
    this.at += 1;
    return token;
  }

  /** Takes the token when it has this text. */
  accept(text: string): boolean {
    const token = this.peek();
    if (token.text !== text || token.kind === "string" || token.kind === "end") return false;
    this.at += 1;
    return true;
  }

  expect(text: string): Token {
    const token = this.peek();
    if (!this.accept(text)) throw new PtxSyntaxError(`expected "${text}" but found "${token.text}"`, token.line);
    return token;
  }

  word(what: string): string {
    const token = this.next();
    if (token.kind !== "word") throw new PtxSyntaxError(`expected ${what} but found "${token.text}"`, token.line);
    return token.text;
  }

  /** An integer with an optional sign. */
  integer(what: string): bigint {
    const negative = this.accept("-");
    const token = this.next();
    if (token.kind !== "integer" || token.text.length > longestInteger) {
      throw new PtxSyntaxError(`expected ${what} but found "${token.text.slice(0, longestInteger)}"`, token.line);
    }
    const value = integerValue(token.text);
    return negative ? -value : value;
  }

  /** A non-negative integer no greater than `limit`. */
  count(what: string, limit: number): number {
    const { line } = this.peek();
    const value = this.integer(what);
    if (value < 0n || value > BigInt(limit)) throw new PtxSyntaxError(`${what} must lie between 0 and ${limit}`, line);
    return Number(value);
  }

  /** A floating-point literal's bits, with the sign applied. */
  float(): { readonly size: 32 | 64; readonly bits: bigint } {
    const negative = this.accept("-");
    const { size, bits } = floatBits(this.next().text);
    return { size, bits: negative ? bits ^ (1n << BigInt(size - 1)) : bits };
  }

  /** Counts the bytes of an initialised variable, before there is room for them. */
  claim(bytes: number): void {
    this.initialised += bytes;
    if (this.initialised > mostInitialised) throw new PtxSyntaxError(`the initialised variables take more than ${mostInitialised} bytes`, this.peek().line);
  }

  /** Skips a balanced `{ … }` whose opening brace is next. */
  skipBraces(): void {
    this.expect("{");
    for (let depth = 1; depth > 0; ) {
      const { kind, text } = this.next();
      if (kind !== "mark") continue;
      if (text === "{") depth += 1;
      else if (text === "}") depth -= 1;
    }
  }

  skipTo(text: string): void {
    while (this.next().text !== text);
  }
}
