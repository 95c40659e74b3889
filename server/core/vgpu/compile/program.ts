import { type Outcome, fail, succeed } from "../../base/outcome";
import { type Matched, type Refusal, matchInstruction } from "../opcodes/table";
import type { Instruction, Operand, Parameter, PtxFunction, PtxModule, Statement, Variable } from "../ptx/module";

/** A variable's address once its function is known: a byte offset in a window, or a module variable by name. */
export interface Place {
  readonly kind: "place";
  readonly space: "local" | "param" | "shared" | "dynamic-shared" | "global";
  readonly offset: number;
  readonly symbol: string;
}

/** An operand with names resolved and registers numbered over the whole kernel. */
export type ProgramOperand =
  | Extract<Operand, { kind: "register" | "negated" | "integer" | "float" | "special" | "sink" }>
  | Place
  | { readonly kind: "label"; readonly name: string }
  | { readonly kind: "address"; readonly base: ProgramOperand; readonly offset: number }
  | { readonly kind: "vector" | "list"; readonly elements: readonly ProgramOperand[] }
  | { readonly kind: "pair"; readonly first: ProgramOperand; readonly second: ProgramOperand };

export interface ProgramInstruction {
  readonly matched: Matched;
  readonly operands: readonly ProgramOperand[];
  readonly guard?: { readonly register: number; readonly negated: boolean } | undefined;
  readonly location: number;
  readonly ptxLine: number;
}

export type ProgramStep =
  | { readonly kind: "instruction"; readonly instruction: ProgramInstruction }
  | { readonly kind: "label"; readonly name: string };

/** One kernel with all its device functions put in line. */
export interface Program {
  readonly steps: readonly ProgramStep[];
  /** PTX type of each register. */
  readonly registers: readonly string[];
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Bytes of local memory a thread needs. */
  readonly localBytes: number;
  /** Bytes of static shared memory; dynamic shared memory starts behind, aligned. */
  readonly sharedBytes: number;
  /** Module variables in use. */
  readonly symbols: ReadonlySet<string>;
}

const maximumSteps = 400_000;
/** Device functions nested deeper are refused; recursion is refused at once. */
const maximumInlining = 64;

interface Draft {
  readonly module: PtxModule;
  readonly steps: ProgramStep[];
  readonly registers: string[];
  readonly tables: Map<string, readonly string[]>;
  readonly symbols: Set<string>;
  readonly shared: Map<string, number>;
  /** The register that stands for the condition code's carry bit. */
  readonly carry: number;
  localBytes: number;
  sharedBytes: number;
  instances: number;
  /** Locations of call sites, outermost first, are kept by the instructions themselves. */
  readonly stack: string[];
}

interface Frame {
  readonly names: ReadonlyMap<string, Place>;
  readonly firstRegister: number;
  readonly labelSuffix: string;
  /** Where `ret` goes; undefined in the kernel itself. */
  readonly returnLabel?: string;
}

/** Carries a refusal out of nested calls. */
class RefusalError extends Error {
  override readonly name = "RefusalError";
  constructor(readonly refusal: Refusal & { readonly location?: number }) {
    super(refusal.reason);
  }
}

/** A refusal with the location index where it arose. */
export type LocatedRefusal = Refusal & { readonly location?: number };

/** Puts the entry's device functions in line and checks every instruction against the opcode table. */
export function flattenProgram(module: PtxModule, entry: PtxFunction): Outcome<Program, LocatedRefusal> {
  const draft: Draft = {
    module, steps: [], registers: ["pred"], carry: 0, tables: new Map(), symbols: new Set(), shared: new Map(), localBytes: 0, sharedBytes: 0, instances: 0, stack: [],
  };
  try {
    for (const variable of module.variables.values()) if (variable.space === "shared" && variable.size > 0) placeShared(draft, variable);
    const names = new Map(entry.parameters.map((parameter) => [parameter.name, place("param", parameter.offset)]));
    appendFunction(draft, entry, names, undefined);
  } catch (thrown) {
    if (thrown instanceof RefusalError) return fail(thrown.refusal);
    throw thrown;
  }
  const { steps, registers, tables, localBytes, sharedBytes, symbols } = draft;
  return succeed({ steps, registers, tables, localBytes: alignUp(localBytes, 16), sharedBytes: alignUp(sharedBytes, 16), symbols });
}

function place(space: Place["space"], offset: number, symbol = ""): Place {
  return { kind: "place", space, offset, symbol };
}

function alignUp(value: number, align: number): number {
  return Math.ceil(value / align) * align;
}

function placeShared(draft: Draft, variable: Variable): number {
  const known = draft.shared.get(variable.name);
  if (known !== undefined) return known;
  const offset = alignUp(draft.sharedBytes, variable.align);
  draft.sharedBytes = offset + variable.size;
  draft.shared.set(variable.name, offset);
  return offset;
}

function placeLocal(draft: Draft, size: number, align: number): Place {
  const offset = alignUp(draft.localBytes, align);
  draft.localBytes = offset + size;
  return place("local", offset);
}

function appendFunction(draft: Draft, callee: PtxFunction, parameters: ReadonlyMap<string, Place>, returnLabel: string | undefined): void {
  draft.stack.push(callee.name);
  draft.instances += 1;
  const names = new Map(parameters);
  for (const variable of callee.variables) names.set(variable.name, placeVariable(draft, variable));
  const frame: Frame = {
    names,
    firstRegister: draft.registers.length,
    labelSuffix: draft.instances === 1 ? "" : `@${draft.instances}`,
    ...(returnLabel === undefined ? {} : { returnLabel }),
  };
  for (const type of callee.registers) draft.registers.push(type);
  for (const statement of callee.statements) appendStatement(draft, frame, statement);
  draft.stack.pop();
}

function placeVariable(draft: Draft, variable: Variable): Place {
  if (variable.space === "shared") {
    return variable.size === 0 ? place("dynamic-shared", 0) : place("shared", placeShared(draft, variable));
  }
  if (variable.initial || variable.space === "global" || variable.space === "const") {
    throw new RefusalError({ reason: `refused: initialised variable ${variable.name} inside of a function` });
  }
  return placeLocal(draft, variable.size, Math.max(variable.align, 8));
}

function appendStatement(draft: Draft, frame: Frame, statement: Statement): void {
  if (draft.steps.length > maximumSteps) throw new RefusalError({ reason: "refused: more than 400,000 instructions after inlining" });
  if (statement.kind === "label") draft.steps.push({ kind: "label", name: statement.name + frame.labelSuffix });
  else if (statement.kind === "targets") {
    draft.tables.set(statement.name + frame.labelSuffix, statement.labels.map((label) => label + frame.labelSuffix));
  } else appendInstruction(draft, frame, statement.instruction);
}

function appendInstruction(draft: Draft, frame: Frame, instruction: Instruction): void {
  const matched = matchInstruction(instruction);
  if (!matched.ok) throw new RefusalError({ ...matched.problem, location: instruction.location });
  const guard = instruction.guard && { ...instruction.guard, register: instruction.guard.register + frame.firstRegister };
  const { location, ptxLine } = instruction;
  const shared = { location, ptxLine, ...(guard ? { guard } : {}) };
  const emit = (entry: ProgramInstruction): void => void draft.steps.push({ kind: "instruction", instruction: entry });
  if (matched.value.family === "call") appendCall(draft, frame, instruction, emit);
  else if (matched.value.family === "return" && frame.returnLabel !== undefined) {
    emit({ matched: jump(instruction), operands: [{ kind: "label", name: frame.returnLabel }], ...shared });
  } else {
    const operands = instruction.operands.map((operand) => resolve(draft, frame, operand));
    if (matched.value.family === "carry") operands.push({ kind: "register", register: draft.carry });
    emit({ matched: matched.value, operands, ...shared });
  }
}

function jump(instruction: Instruction): Matched {
  return { instruction: { ...instruction, opcode: "bra", modifiers: [] }, family: "branch", modifiers: {} };
}

function appendCall(draft: Draft, frame: Frame, instruction: Instruction, emit: (entry: ProgramInstruction) => void): void {
  const [first] = instruction.operands;
  const results = first?.kind === "list" ? first.elements : [];
  const [target, list] = first?.kind === "list" ? instruction.operands.slice(1) : instruction.operands;
  const { location } = instruction;
  if (target?.kind !== "symbol") throw new RefusalError({ reason: "refused: call (indirect)", location });
  const callee = draft.module.functions.get(target.name);
  if (target.name === "__assertfail") {
    const guard = instruction.guard && { ...instruction.guard, register: instruction.guard.register + frame.firstRegister };
    emit({ matched: { instruction, family: "trap", modifiers: {} }, operands: [], location, ptxLine: instruction.ptxLine, guard });
    return;
  }
  if (!callee?.hasBody) throw new RefusalError({ reason: `refused: call ${target.name}`, location });
  if (draft.stack.includes(callee.name)) throw new RefusalError({ reason: `refused: call ${callee.name} (recursive)`, location });
  if (draft.stack.length > maximumInlining) throw new RefusalError({ reason: "refused: call (nested too deeply)", location });
  const names = new Map([
    ...bind(draft, frame, callee.results, results),
    ...bind(draft, frame, callee.parameters, list?.kind === "list" ? list.elements : []),
  ]);
  const after = `@return${draft.instances + 1}`;
  if (instruction.guard) {
    const guard = { register: instruction.guard.register + frame.firstRegister, negated: !instruction.guard.negated };
    emit({ matched: jump(instruction), operands: [{ kind: "label", name: after }], guard, location, ptxLine: instruction.ptxLine });
  }
  appendFunction(draft, callee, names, after);
  draft.steps.push({ kind: "label", name: after });
}

function bind(draft: Draft, frame: Frame, formal: readonly Parameter[], actual: readonly Operand[]): [string, Place][] {
  return formal.map((parameter, index) => {
    const operand = actual[index];
    const found = operand?.kind === "symbol" ? frame.names.get(operand.name) : undefined;
    if (found?.space !== "local") throw new RefusalError({ reason: "refused: call (arguments not in .param variables)" });
    return [parameter.name, found];
  });
}

function resolve(draft: Draft, frame: Frame, operand: Operand): ProgramOperand {
  switch (operand.kind) {
    case "register": return { kind: "register", register: operand.register + frame.firstRegister };
    case "negated": return { kind: "negated", register: operand.register + frame.firstRegister };
    case "symbol": return resolveSymbol(draft, frame, operand);
    case "address": return { ...operand, base: resolve(draft, frame, operand.base) };
    case "vector":
    case "list": return { kind: operand.kind, elements: operand.elements.map((element) => resolve(draft, frame, element)) };
    case "pair": return { kind: "pair", first: resolve(draft, frame, operand.first), second: resolve(draft, frame, operand.second) };
    default: return operand;
  }
}

function resolveSymbol(draft: Draft, frame: Frame, { name, offset }: { readonly name: string; readonly offset: number }): ProgramOperand {
  const local = frame.names.get(name);
  if (local) return { ...local, offset: local.offset + offset };
  const variable = draft.module.variables.get(name);
  if (!variable) return { kind: "label", name: name + frame.labelSuffix };
  if (variable.space === "shared") {
    return variable.size === 0 ? place("dynamic-shared", offset) : place("shared", placeShared(draft, variable) + offset);
  }
  draft.symbols.add(name);
  return place("global", offset, name);
}
