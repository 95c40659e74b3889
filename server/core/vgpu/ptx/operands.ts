import type { Operand, OperandPart } from "./module";
import { PtxSyntaxError, type TokenReader } from "./reader";
import type { Scope } from "./scope";

const maximumDepth = 64;
const maximumOffset = 2 ** 40;

/** Reads operands: registers, literals, addresses, vectors, lists (PTX ISA section 6.4). */
export class OperandReader {
  constructor(private readonly reader: TokenReader) {}

  /** Reads the operands of an instruction and the semicolon behind them. */
  readAll(scope: Scope): Operand[] {
    const operands: Operand[] = [];
    if (this.reader.accept(";")) return operands;
    do operands.push(this.read(scope, 0));
    while (this.reader.accept(","));
    this.reader.expect(";");
    return operands;
  }

  /** Reads the operands of a video instruction and the semicolon behind them. */
  readAllSelected(scope: Scope): { readonly operands: Operand[]; readonly parts: OperandPart[] } {
    const operands: Operand[] = [];
    const parts: OperandPart[] = [];
    if (this.reader.accept(";")) return { operands, parts };
    do {
      const { operand, part } = this.readSelected(scope);
      operands.push(operand);
      parts.push(part);
    } while (this.reader.accept(","));
    this.reader.expect(";");
    return { operands, parts };
  }

  /** Reads one operand; `depth` counts how deeply it is nested in others. */
  read(scope: Scope, depth: number): Operand {
    const { reader } = this;
    if (depth > maximumDepth) throw new PtxSyntaxError("operands are nested too deeply", reader.peek().line);
    const token = reader.peek();
    if (token.kind === "mark") return this.readMarked(scope, depth, token.text);
    if (token.kind === "float") return { kind: "float", ...reader.float() };
    if (token.kind === "integer") return { kind: "integer", value: reader.integer("a number") };
    const first = scope.meaning(reader.word("an operand"), named);
    if (reader.accept("|")) return { kind: "pair", first, second: this.read(scope, depth + 1) };
    if (first.kind !== "symbol" || (reader.peek().text !== "+" && reader.peek().text !== "-")) return first;
    return { ...first, offset: this.readOffset() };
  }

  /** Reads what begins with a bracket or a sign. */
  private readMarked(scope: Scope, depth: number, mark: string): Operand {
    const { reader } = this;
    if (reader.accept("{")) return { kind: "vector", elements: this.readElements(scope, "}", depth) };
    if (reader.accept("(")) return { kind: "list", elements: this.readElements(scope, ")", depth) };
    if (reader.accept("[")) return this.readAddress(scope, depth);
    if (reader.accept("!")) {
      const { line } = reader.peek();
      return { kind: "negated", register: this.register(scope, reader.word("a predicate"), line) };
    }
    const { kind } = reader.peek(mark === "-" ? 1 : 0);
    if (kind === "float") return { kind: "float", ...reader.float() };
    if (kind === "integer") return { kind: "integer", value: reader.integer("a number") };
    throw new PtxSyntaxError(`expected an operand but found "${mark}"`, reader.peek().line);
  }

  /**
   * Reads an operand of a video instruction, which may name a part of a register and have a sign (PTX ISA,
   * "Scalar Video Instructions").
   */
  readSelected(scope: Scope): { readonly operand: Operand; readonly part: OperandPart } {
    const { reader } = this;
    const negated = reader.peek().text === "-" && reader.peek(1).kind === "word";
    if (negated) reader.expect("-");
    const token = reader.peek();
    const [, name = "", part] =
      /^(.+)\.([bh][0-7]{1,4})$/.exec(token.kind === "word" ? token.text : "") ?? [];
    const register = scope.findRegister(name);
    if (part === undefined || register === undefined)
      return { operand: this.read(scope, 0), part: { negated } };
    reader.next();
    return { operand: { kind: "register", register }, part: { part, negated } };
  }

  private readElements(scope: Scope, close: string, depth: number): Operand[] {
    const elements: Operand[] = [];
    while (!this.reader.accept(close)) {
      elements.push(this.read(scope, depth + 1));
      if (!this.reader.accept(",") && this.reader.peek().text !== close) this.reader.expect(close);
    }
    return elements;
  }

  private readOffset(): number {
    const { line } = this.reader.peek();
    let value: bigint;
    if (this.reader.accept("+")) value = this.reader.integer("an offset");
    else {
      this.reader.expect("-");
      value = -this.reader.integer("an offset");
    }
    if (value > BigInt(maximumOffset) || value < BigInt(-maximumOffset))
      throw new PtxSyntaxError("an offset is too large", line);
    return Number(value);
  }

  private readAddress(scope: Scope, depth: number): Operand {
    const base = this.read(scope, depth + 1);
    if (base.kind === "symbol") {
      this.reader.expect("]");
      return { kind: "address", base: { ...base, offset: 0 }, offset: base.offset };
    }
    if (this.reader.accept(",")) {
      const rest = this.readElements(scope, "]", depth);
      return { kind: "address", base: { kind: "list", elements: [base, ...rest] }, offset: 0 };
    }
    const signed = this.reader.peek().text === "+" || this.reader.peek().text === "-";
    const offset = signed ? this.readOffset() : 0;
    this.reader.expect("]");
    return { kind: "address", base, offset };
  }

  /** Number of a register by its name. */
  register(scope: Scope, name: string, line: number): number {
    const found = scope.findRegister(name);
    if (found === undefined) throw new PtxSyntaxError(`"${name}" is not a declared register`, line);
    return found;
  }
}

/** What a name stands for in a scope. */
function named(scope: Scope, name: string): Operand {
  if (name === "_") return { kind: "sink" };
  const register = scope.findRegister(name);
  if (register !== undefined) return { kind: "register", register };
  const vector = scope.findVector(name);
  if (vector)
    return { kind: "vector", elements: vector.map((element) => ({ kind: "register", register: element })) };
  // WARP_SZ is the one predefined constant without a percent sign (PTX ISA section 4.4.1).
  if (name.startsWith("%") || name === "WARP_SZ") return { kind: "special", name };
  const label = scope.resolveLabel(name);
  return { kind: "symbol", name: label === name ? scope.resolveVariable(name) : label, offset: 0 };
}
