import { type Token, type Tokens, floatBits, integerValue } from "./lexer";

/** Carries a problem out of nested parsing functions; `parsePtx` turns it into a value. */
export class PtxSyntaxError extends Error {
  override readonly name = "PtxSyntaxError";
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

const longestInteger = 64;
/** Bytes of all variables of a module that have an initialiser; more is refused as absurd. */
const mostInitialised = 1 << 28;

/** A cursor over tokens. */
export class TokenReader {
  private at = 0;
  /** The first brace or colon that is not behind the cursor, as an index of `joints`. */
  private joint = 0;
  private initialised = 0;
  private readonly tokens: readonly Token[];
  private readonly joints: readonly number[];

  constructor({ tokens, joints }: Tokens) {
    this.tokens = tokens;
    this.joints = joints;
  }

  peek(ahead = 0): Token {
    const token = this.tokens[this.at + ahead] ?? this.tokens.at(-1);
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
    if (!this.accept(text))
      throw new PtxSyntaxError(`expected "${text}" but found "${token.text}"`, token.line);
    return token;
  }

  word(what: string): string {
    const token = this.next();
    if (token.kind !== "word")
      throw new PtxSyntaxError(`expected ${what} but found "${token.text}"`, token.line);
    return token.text;
  }

  /** An integer with an optional sign. */
  integer(what: string): bigint {
    const negative = this.accept("-");
    const token = this.next();
    if (token.kind !== "integer" || token.text.length > longestInteger) {
      throw new PtxSyntaxError(
        `expected ${what} but found "${token.text.slice(0, longestInteger)}"`,
        token.line,
      );
    }
    const value = integerValue(token.text);
    return negative ? -value : value;
  }

  /** A non-negative integer no greater than `limit`. */
  count(what: string, limit: number): number {
    const { kind, text, line } = this.peek();
    if (kind === "integer" && /^(?:0|[1-9]\d{0,8})$/.test(text) && Number(text) <= limit) {
      this.at += 1;
      return Number(text);
    }
    const value = this.integer(what);
    if (value < 0n || value > BigInt(limit))
      throw new PtxSyntaxError(`${what} must lie between 0 and ${limit}`, line);
    return Number(value);
  }

  /** A floating-point literal's bits, with the sign applied. */
  float(): { readonly size: 32 | 64; readonly bits: bigint } {
    const negative = this.accept("-");
    const { size, bits } = floatBits(this.next().text);
    return { size, bits: negative ? bits ^ (1n << BigInt(size - 1)) : bits };
  }

  /**
   * Words with a colon behind them, up to the brace that closes the scope the cursor is in; not those of
   * inner braces.
   */
  labels(): string[] {
    const found: string[] = [];
    while ((this.joints[this.joint] ?? Infinity) < this.at) this.joint += 1;
    for (let index = this.joint, depth = 1; depth > 0 && index < this.joints.length; index += 1) {
      const at = this.joints[index] ?? 0;
      const mark = this.tokens[at]?.text;
      if (mark === "{") depth += 1;
      else if (mark === "}") depth -= 1;
      else if (depth === 1 && at > this.at) {
        const before = this.tokens[at - 1];
        if (before?.kind === "word") found.push(before.text);
      }
    }
    return found;
  }

  /** Counts the bytes of an initialised variable, before there is room for them. */
  claim(bytes: number): void {
    this.initialised += bytes;
    if (this.initialised > mostInitialised)
      throw new PtxSyntaxError(
        `the initialised variables take more than ${mostInitialised} bytes`,
        this.peek().line,
      );
  }

  /** Skips a balanced `{ … }` whose opening brace is next. */
  skipBraces(): void {
    this.expect("{");
    for (let depth = 1; depth > 0;) {
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
