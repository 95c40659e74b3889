import { at as elementAt, known } from "../base/known";
import { SizeFault, type SizeValue } from "./size-fault";
import { canonicalFunction } from "./size-functions";

/** A parsed expression. `at` is the one-based column where it begins. */
export type SizeNode =
  | { readonly kind: "number"; readonly value: number; readonly real: boolean; readonly at: number }
  | { readonly kind: "variable"; readonly name: string; readonly at: number }
  | { readonly kind: "unary"; readonly operator: string; readonly operand: SizeNode; readonly at: number }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: SizeNode;
      readonly right: SizeNode;
      readonly at: number;
    }
  | {
      readonly kind: "choice";
      readonly condition: SizeNode;
      readonly then: SizeNode;
      readonly otherwise: SizeNode;
      readonly at: number;
    }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly operands: readonly SizeNode[];
      readonly at: number;
    };

interface Token {
  readonly text: string;
  readonly kind: "number" | "name" | "symbol" | "end";
  readonly at: number;
}

const longest = 2000;
const deepest = 64;
const tokenPattern =
  /\s*(?:(0[xX][0-9a-fA-F]+[uUlL]*|(?:\d[\d_']*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[uUlLfF]*)|([A-Za-z_][\w]*(?:(?:::|\.)[A-Za-z_]\w*)*)|(\/\/|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%()<>?:,!&|^~]))/y;

/** What the groups of the pattern hold, in their order. */
const tokenKinds = ["number", "name", "symbol"] as const;

/** Binding strength of each binary operator, as in C. `//` is Python's floor division. */
const strength: Readonly<Record<string, number>> = {
  "||": 1,
  "&&": 2,
  "|": 3,
  "^": 4,
  "&": 5,
  "==": 6,
  "!=": 6,
  "<": 7,
  "<=": 7,
  ">": 7,
  ">=": 7,
  "<<": 8,
  ">>": 8,
  "+": 9,
  "-": 9,
  "*": 10,
  "/": 10,
  "//": 10,
  "%": 10,
};

const wholeTypes = new Set([
  "int",
  "unsigned",
  "signed",
  "long",
  "short",
  "char",
  "size_t",
  "ssize_t",
  "ptrdiff_t",
  "uint",
  "int8_t",
  "int16_t",
  "int32_t",
  "int64_t",
  "uint8_t",
  "uint16_t",
  "uint32_t",
  "uint64_t",
]);
const realTypes = new Set(["float", "double"]);

const bytesOf: Readonly<Record<string, number>> = {
  char: 1,
  bool: 1,
  int8_t: 1,
  uint8_t: 1,
  short: 2,
  int16_t: 2,
  uint16_t: 2,
  half: 2,
  __half: 2,
  __nv_bfloat16: 2,
  int: 4,
  float: 4,
  int32_t: 4,
  uint32_t: 4,
  half2: 4,
  __half2: 4,
  long: 8,
  "long long": 8,
  double: 8,
  int64_t: 8,
  uint64_t: 8,
  size_t: 8,
  float2: 8,
  int2: 8,
  float4: 16,
  int4: 16,
  double2: 16,
};

/** Parses a text; throws SizeFault. */
export function readSizeExpression(text: string): SizeNode {
  if (text.length > longest)
    throw new SizeFault(1, `the expression has ${text.length} characters, at most ${longest} are read`);
  const reader = new ExpressionReader(tokensOf(text));
  const node = reader.expression();
  reader.expectEnd();
  return node;
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  tokenPattern.lastIndex = 0;
  for (let from = 0; from < end; from = tokenPattern.lastIndex) {
    const match = tokenPattern.exec(text);
    if (match === null) {
      const at = from + text.slice(from).search(/\S/);
      throw new SizeFault(at + 1, `"${elementAt(text, at)}" has no meaning in a size expression`);
    }
    const kind = known(
      tokenKinds.find((_, group) => match[group + 1] !== undefined),
      "the group of a token",
    );
    const found = elementAt(match, tokenKinds.indexOf(kind) + 1);
    tokens.push({ text: found, kind, at: tokenPattern.lastIndex - found.length + 1 });
  }
  return [...tokens, { text: "the end", kind: "end", at: text.length + 1 }];
}

/**
 * Recursive descent with binding strengths; the depth is bounded so that hostile text cannot exhaust the
 * stack.
 */
class ExpressionReader {
  private next = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  expression(): SizeNode {
    return this.deeper(() => {
      const condition = this.binary(0);
      if (!this.take("?")) return condition;
      const then = this.expression();
      this.expect(":");
      return { kind: "choice", condition, then, otherwise: this.expression(), at: condition.at };
    });
  }

  expectEnd(): void {
    if (this.peek().kind !== "end")
      throw new SizeFault(this.peek().at, `an operator was expected before "${this.peek().text}"`);
  }

  private deeper(read: () => SizeNode): SizeNode {
    this.depth += 1;
    if (this.depth > deepest)
      throw new SizeFault(this.peek().at, `the expression is nested deeper than ${deepest} levels`);
    const node = read();
    this.depth -= 1;
    return node;
  }

  private peek(ahead = 0): Token {
    // The last token is the end, however far one looks.
    return elementAt(this.tokens, Math.min(this.next + ahead, this.tokens.length - 1));
  }

  private take(symbol: string): boolean {
    if (this.peek().kind !== "symbol" || this.peek().text !== symbol) return false;
    this.next += 1;
    return true;
  }

  private expect(symbol: string): void {
    if (!this.take(symbol))
      throw new SizeFault(this.peek().at, `"${symbol}" was expected before ${quoted(this.peek())}`);
  }

  private binary(least: number): SizeNode {
    let left = this.unary();
    for (;;) {
      const operator = this.peek();
      const binding = operator.kind === "symbol" ? (strength[operator.text] ?? 0) : 0;
      if (binding <= least) return left;
      this.next += 1;
      left = { kind: "binary", operator: operator.text, left, right: this.binary(binding), at: operator.at };
    }
  }

  private unary(): SizeNode {
    const token = this.peek();
    if (token.kind === "symbol" && /^[-+!~]$/.test(token.text)) {
      this.next += 1;
      return this.deeper(() => ({
        kind: "unary",
        operator: token.text,
        operand: this.unary(),
        at: token.at,
      }));
    }
    if (token.kind === "number") {
      this.next += 1;
      return { kind: "number", ...numberOf(token), at: token.at };
    }
    return token.kind === "name" ? this.named() : this.bracketed();
  }

  /** `(expression)` or `(int)operand`. */
  private bracketed(): SizeNode {
    const token = this.peek();
    if (!this.take("("))
      throw new SizeFault(token.at, `a number, a name or "(" was expected before ${quoted(token)}`);
    let length = 0;
    while (this.peek(length).kind === "name") length += 1;
    const cast = castOf(Array.from({ length }, (_, index) => this.peek(index).text));
    if (cast !== undefined && this.peek(length).text === ")") {
      this.next += length + 1;
      return this.deeper(() => ({ kind: "call", name: cast, operands: [this.unary()], at: token.at }));
    }
    const inner = this.expression();
    this.expect(")");
    return inner;
  }

  private named(): SizeNode {
    const token = this.peek();
    this.next += 1;
    if (this.peek().text === "<" && /(^|::)(static_cast|min|max)$/.test(token.text)) {
      const cast = castOf(this.typeWords("<", ">"));
      this.expect("(");
      return this.call(token.text === "static_cast" ? cast : canonicalFunction(token.text), token);
    }
    if (token.text === "sizeof") {
      const type = this.typeWords("(", ")")
        .filter((word) => !/^(un)?signed$|^const$/.test(word))
        .join(" ");
      const bytes = bytesOf[type || "int"];
      if (bytes === undefined)
        throw new SizeFault(token.at, `sizeof(${type}) is not known here: write the number of bytes`);
      return { kind: "number", value: bytes, real: false, at: token.at };
    }
    if (!this.take("(")) return { kind: "variable", name: token.text, at: token.at };
    return this.call(canonicalFunction(token.text) ?? castOf([token.text]), token);
  }

  private call(canonical: string | undefined, token: Token): SizeNode {
    if (canonical === undefined)
      throw new SizeFault(
        token.at,
        `the function "${token.text}" is not known: write the expression out, or use ceil_div, min, max or next_power_of_2`,
      );
    const operands: SizeNode[] = [];
    do operands.push(this.expression());
    while (this.take(","));
    this.expect(")");
    return { kind: "call", name: canonical, operands, at: token.at };
  }

  private typeWords(open: string, close: string): readonly string[] {
    this.expect(open);
    const words: string[] = [];
    for (; this.peek().kind === "name"; this.next += 1) words.push(this.peek().text);
    this.expect(close);
    return words;
  }
}

function quoted(token: Token): string {
  return token.kind === "end" ? token.text : `"${token.text}"`;
}

/** The conversion that a type name means: `@whole`, `@real`, or undefined for a name that is no type. */
function castOf(words: readonly string[]): string | undefined {
  const plain = words.map((word) => word.replace(/^std::/, "")).filter((word) => word !== "const");
  if (plain.length > 0 && plain.every((word) => wholeTypes.has(word))) return "@whole";
  return plain.length === 1 && realTypes.has(elementAt(plain, 0)) ? "@real" : undefined;
}

function numberOf(token: Token): SizeValue {
  const plain = token.text.replace(/['_]/g, "");
  const hexadecimal = /^0[xX]/.test(plain);
  const real = !hexadecimal && /[.eEfF]/.test(plain);
  const value = Number(plain.replace(hexadecimal ? /[uUlL]+$/ : /[uUlLfF]+$/, ""));
  if (!Number.isFinite(value) || value > Number.MAX_SAFE_INTEGER)
    throw new SizeFault(token.at, `the number ${token.text} is too great`);
  return { value, real };
}
