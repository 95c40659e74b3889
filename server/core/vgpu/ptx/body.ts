import { type PtxType, findDeclaredType, types } from "./types";
import { placeLineless } from "./lineless";
import type { LocationTable } from "./locations";
import type { Instruction, Parameter, StateSpace, Statement, Variable } from "./module";
import type { InstructionNames } from "./instruction-names";
import { OperandReader } from "./operands";
import { readPrototype } from "./parameters";
import { PtxSyntaxError, type TokenReader } from "./reader";
import { Scope } from "./scope";
import { readVariable } from "./variables";

const maximumRegisters = 1 << 20;
const maximumDepth = 64;

/** What a function's braces hold. */
interface Body {
  readonly statements: Statement[];
  readonly registers: PtxType[];
  readonly variables: Variable[];
}

/** Reads the statements of one function (PTX ISA section 4.2 and 5.1 to 5.4). */
export class BodyReader {
  private readonly body: Body = { statements: [], registers: [], variables: [] };
  private readonly operands: OperandReader;
  private readonly lineless = new Set<number>();
  private scopes = 0;

  constructor(
    private readonly reader: TokenReader,
    private readonly locations: LocationTable,
    private readonly names: InstructionNames,
  ) {
    this.operands = new OperandReader(reader);
  }

  /**
   * Reads the braces; `registers` are the parameters that the function takes or gives in registers, in the
   * order of their numbers.
   */
  read(registers: readonly Parameter[]): Body {
    const outer = new Scope(undefined, "");
    for (const { name, type } of registers) {
      outer.declareRegisters(name, this.body.registers.length, undefined);
      this.body.registers.push(type);
    }
    this.readBraces(outer, 0);
    placeLineless(this.body.statements, this.lineless, this.body.registers.length);
    return this.body;
  }

  private readBraces(outer: Scope | undefined, depth: number): void {
    const { line } = this.reader.expect("{");
    if (depth > maximumDepth) throw new PtxSyntaxError("braces are nested too deeply", line);
    this.scopes += 1;
    const scope = new Scope(outer, depth === 0 ? "" : `$${this.scopes}`);
    for (const label of this.reader.labels()) scope.declareLabel(label);
    while (!this.reader.accept("}")) {
      if (this.reader.peek().text === "{") this.readBraces(scope, depth + 1);
      else this.readStatement(scope);
    }
  }

  private readStatement(scope: Scope): void {
    const token = this.reader.peek();
    if (token.text.startsWith(".")) {
      this.readDirective(scope);
      return;
    }
    if (token.kind === "word" && this.reader.peek(1).text === ":") {
      this.reader.next();
      this.reader.next();
      this.readLabel(scope, token.text);
      return;
    }
    if (this.reader.accept(";")) return;
    if (this.locations.isLineless) this.lineless.add(this.body.statements.length);
    this.body.statements.push({ kind: "instruction", instruction: this.readInstruction(scope) });
  }

  private readLabel(scope: Scope, written: string): void {
    const name = scope.resolveLabel(written);
    const { text } = this.reader.peek();
    if (text === ".callprototype") {
      this.reader.next();
      this.body.statements.push({ kind: "prototype", name, ...readPrototype(this.reader) });
    } else if (text !== ".branchtargets" && text !== ".calltargets")
      this.body.statements.push({ kind: "label", name });
    else {
      this.reader.next();
      const labels: string[] = [];
      do labels.push(scope.resolveLabel(this.reader.word("a label")));
      while (this.reader.accept(","));
      this.reader.expect(";");
      this.body.statements.push({ kind: "targets", name, labels });
    }
  }

  private readDirective(scope: Scope): void {
    const { text, line } = this.reader.next();
    if (text === ".loc") this.locations.read(this.reader);
    else if (text === ".reg") this.readRegisters(scope);
    else if (text === ".pragma") this.reader.skipTo(";");
    else if (variableSpaces.has(text)) {
      do
        this.body.variables.push(
          scope.declareVariable(readVariable(this.reader, variableSpaces.get(text) ?? "local")),
        );
      while (this.reader.accept(","));
      this.reader.expect(";");
    } else throw new PtxSyntaxError(`unexpected directive "${text}" in a function`, line);
  }

  private readRegisters(scope: Scope): void {
    const vector = /^\.v([24])$/.exec(this.reader.peek().text);
    if (vector) this.reader.next();
    const { text, line } = this.reader.next();
    const wide = text === ".b128" && !vector;
    const width = wide ? 2 : Number(vector?.[1] ?? 1);
    const type = wide ? types.b64 : findDeclaredType(text.slice(1));
    if (!type) throw new PtxSyntaxError(`registers of type "${text}" are unknown`, line);
    do {
      const name = this.reader.word("a register name");
      let count: number | undefined;
      if (this.reader.accept("<")) {
        count = this.reader.count("a register count", maximumRegisters);
        this.reader.expect(">");
      }
      const { registers } = this.body;
      if (registers.length + width * (count ?? 1) > maximumRegisters)
        throw new PtxSyntaxError("too many registers", line);
      scope.declareRegisters(name, registers.length, count, width);
      for (let index = 0; index < width * (count ?? 1); index += 1) registers.push(type);
    } while (this.reader.accept(","));
    this.reader.expect(";");
  }

  private readInstruction(scope: Scope): Instruction {
    const { line } = this.reader.peek();
    let guard: { register: number; negated: boolean } | undefined;
    if (this.reader.accept("@")) {
      const negated = this.reader.accept("!");
      guard = { register: this.operands.register(scope, this.reader.word("a predicate"), line), negated };
    }
    const { opcode, modifiers, isVideo } = this.names.of(this.reader.word("an instruction"));
    const list = isVideo ? this.operands.readAllSelected(scope) : { operands: this.operands.readAll(scope) };
    const shared = { opcode, modifiers, ...list, ptxLine: line, location: this.locations.current };
    return guard ? { ...shared, guard } : shared;
  }
}

const variableSpaces: ReadonlyMap<string, StateSpace> = new Map([
  [".local", "local"],
  [".shared", "shared"],
  [".param", "param"],
  [".global", "global"],
  [".const", "const"],
]);
