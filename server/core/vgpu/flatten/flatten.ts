import { type Outcome, fail, succeed } from "../../base/outcome";
import { fullName, matchInstruction, typeOf } from "../opcodes/table";
import type { Instruction, PtxFunction, PtxModule, Statement } from "../ptx/module";
import { analyzeCalls } from "./call-graph";
import {
  type Draft,
  DraftRefusalError,
  type Frame,
  addInstruction,
  addRegister,
  addStep,
  addSynthetic,
  place,
  placeShared,
  reservedRange,
  synthesize,
} from "./draft";
import { alignUp } from "../numbers";
import { bindFormal, mailboxWords, returnResults } from "./call-values";
import { appendCall, procedureLabel } from "./flatten-calls";
import { jump, openFrame, resolve } from "./frames";
import { factsOf } from "./function-facts";
import { parameterBytesOf } from "../functions";
import { types } from "../ptx/types";
import { readsParameters } from "./roles";
import type { LocatedRefusal, Program, ProgramInstruction, ProgramOperand } from "./program";
import { appendParameterAccess, newStorage } from "./storage";

/**
 * Puts small device functions in line, gives the others code of their own and checks every instruction
 * against the opcode table. Procedures come before the kernel and before the procedures that call them: lanes
 * inside of a call then run first and meet the others again behind it.
 */
export function flattenProgram(module: PtxModule, entry: PtxFunction): Outcome<Program, LocatedRefusal> {
  const draft = newDraft(module, entry);
  try {
    return succeed(fillDraft(draft, entry));
  } catch (thrown) {
    if (thrown instanceof DraftRefusalError) return fail(thrown.refusal);
    throw thrown;
  }
}

function newDraft(module: PtxModule, entry: PtxFunction): Draft {
  const draft: Draft = {
    module,
    graph: analyzeCalls(module, entry),
    steps: [],
    registers: [types.pred],
    pinned: new Set(),
    carry: 0,
    tables: new Map(),
    symbols: new Set(),
    shared: new Map(),
    systemCalls: new Set(),
    pointers: new Map(),
    mailbox: { arguments: [], results: [] },
    localBytes: 0,
    sharedBytes: 0,
    parameterBytes: parameterBytesOf(entry),
    instances: 0,
    activation: { frameBytes: 0 },
    append: (frame, body) => appendStatements(draft, frame, body),
  };
  return draft;
}

/** Appends all that the kernel runs, and gives the program that it makes. */
function fillDraft(draft: Draft, entry: PtxFunction): Program {
  const { module } = draft;
  const { procedures, reentrant } = draft.graph;
  const allocates = [entry, ...procedures].some((body) => factsOf(module, body).allocates);
  const usesStack = procedures.length > 0 || allocates;
  for (const variable of module.variables.values())
    if (variable.space === "shared" && variable.size > 0) placeShared(draft, variable);
  if (usesStack) addStep(draft, { kind: "goto", name: "@kernel" });
  for (const body of procedures) appendProcedure(draft, body);
  draft.activation = { frameBytes: 0 };
  if (usesStack) startKernel(draft, entry);
  const names = new Map(
    entry.parameters.map((parameter) => [parameter.name, place("param", parameter.offset)]),
  );
  appendStatements(draft, openFrame(draft, entry, names, undefined), entry);
  const { steps, registers, pinned, tables, parameterBytes, symbols, pointers, systemCalls } = draft;
  return {
    steps,
    registers,
    pinned,
    tables,
    pointers,
    systemCalls,
    callDepth: reentrant.size > 0 ? undefined : procedures.length,
    usesFrames: allocates || reentrant.size > 0,
    parameterBytes,
    localBytes: alignUp(draft.localBytes, 16),
    sharedBytes: alignUp(draft.sharedBytes, 16),
    sharedEnd: draft.sharedBytes,
    sharedStarts: [...draft.shared.values()].sort((a, b) => a - b),
    symbols,
    reservedShared: reservedRange(draft),
  };
}

function startKernel(draft: Draft, entry: PtxFunction): void {
  addStep(draft, { kind: "procedure" });
  addStep(draft, { kind: "label", name: "@kernel" });
  addSynthetic(draft, {
    like: { location: -1, ptxLine: entry.ptxLine },
    family: "stack-reset",
    opcode: "stackrestore",
    operands: [],
  });
}

/**
 * Appends a function that is called: takes its arguments out of the mailbox, runs, and leaves its results
 * there.
 */
function appendProcedure(draft: Draft, body: PtxFunction): void {
  const reentrant = draft.graph.reentrant.has(body.name);
  const { allocates, addressed } = factsOf(draft.module, body);
  const frame = reentrant || allocates ? addRegister(draft, types.b64) : undefined;
  draft.activation = { frameBytes: 0, ...(reentrant && frame !== undefined ? { frame } : {}) };
  const like = { location: firstLocation(body), ptxLine: body.ptxLine };
  addStep(draft, { kind: "procedure" });
  addStep(draft, { kind: "label", name: procedureLabel(body.name) });
  const entered = draft.steps.length;
  const returnLabel = `${procedureLabel(body.name)}@return`;
  const context = openFrame(draft, body, new Map(), returnLabel);
  let word = 0;
  for (const formal of body.parameters) {
    const source = mailboxWords(draft, "arguments", { first: word, size: formal.size });
    bindFormal(draft, context, { formal, source, like, addressed: addressed.has(formal.name) });
    word += source.registers.length;
  }
  for (const formal of body.results)
    if (formal.register === undefined)
      context.names.set(formal.name, newStorage(draft, formal, addressed.has(formal.name)));
  appendStatements(draft, context, body);
  addStep(draft, { kind: "label", name: returnLabel });
  const results = returnResults(draft, context, body, like);
  const { frameBytes } = draft.activation;
  if (frame !== undefined && (allocates || frameBytes > 0)) {
    const operands: ProgramOperand[] = [{ kind: "register", register: frame }];
    const enter = synthesize({
      like,
      family: "frame-enter",
      opcode: "call",
      modifiers: { bytes: alignUp(frameBytes, 16) },
      operands,
    });
    draft.steps.splice(entered, 0, { kind: "instruction", instruction: enter });
    addSynthetic(draft, { like, family: "frame-leave", opcode: "ret", operands });
  }
  addSynthetic(draft, {
    like,
    family: "return-procedure",
    opcode: "ret",
    operands: [{ kind: "list", elements: results }],
  });
}

function firstLocation(body: PtxFunction): number {
  for (const statement of body.statements)
    if (statement.kind === "instruction" && statement.instruction.location >= 0)
      return statement.instruction.location;
  return -1;
}

/** Appends all statements of a function. */
function appendStatements(draft: Draft, frame: Frame, body: PtxFunction): void {
  for (const statement of body.statements) appendStatement(draft, frame, body, statement);
}

function appendStatement(draft: Draft, frame: Frame, body: PtxFunction, statement: Statement): void {
  if (statement.kind === "label") addStep(draft, { kind: "label", name: statement.name + frame.labelSuffix });
  else if (statement.kind === "targets") {
    draft.tables.set(
      statement.name + frame.labelSuffix,
      statement.labels.map((label) => label + frame.labelSuffix),
    );
  } else if (statement.kind === "instruction") appendInstruction(draft, frame, body, statement.instruction);
}

function appendInstruction(draft: Draft, frame: Frame, body: PtxFunction, instruction: Instruction): void {
  const matched = matchInstruction(instruction);
  if (!matched.ok) throw new DraftRefusalError({ ...matched.problem, location: instruction.location });
  const guard = instruction.guard && {
    ...instruction.guard,
    register: instruction.guard.register + frame.firstRegister,
  };
  const { location, ptxLine } = instruction;
  const { traits, carry } = matched.value;
  if (traits.flow === "call") appendCall(draft, frame, { caller: body, instruction, guard });
  else if (traits.flow === "return" && frame.returnLabel !== undefined) {
    addInstruction(draft, {
      matched: jump(instruction),
      operands: [{ kind: "label", name: frame.returnLabel }],
      guard,
      location,
      ptxLine,
    });
  } else {
    const operands = instruction.operands.map((operand) => resolve(draft, frame, operand));
    if (carry && operands.length < (carry.does === "multiply-add" ? 4 : 3)) {
      throw new DraftRefusalError({
        reason: `refused: ${fullName(instruction)} (an operand is missing)`,
        location,
      });
    }
    if (carry) operands.push({ kind: "register", register: draft.carry });
    const entry: ProgramInstruction = { matched: matched.value, operands, guard, location, ptxLine };
    const count = misfitOf(entry);
    if (count !== undefined)
      throw new DraftRefusalError({
        reason: `refused: ${fullName(instruction)} (${count} elements)`,
        location,
      });
    if (readsBehind(entry, draft.parameterBytes))
      throw new DraftRefusalError({
        reason: `refused: ${fullName(instruction)} (an access behind the end of the parameters)`,
        location,
      });
    if (!appendParameterAccess(draft, frame, instruction, entry)) addInstruction(draft, entry);
  }
}

/**
 * True for a load at an offset from a kernel's parameter that ends behind the last one: no one knows what
 * would lie there.
 */
function readsBehind(entry: ProgramInstruction, parameterBytes: number): boolean {
  if (entry.matched.traits.access !== "load" || !readsParameters(entry)) return false;
  const [target, address] = entry.operands;
  if (address?.kind !== "address" || address.base.kind !== "place") return false;
  const count = target?.kind === "vector" ? target.elements.length : 1;
  return address.base.offset + address.offset + count * typeOf(entry).bytes > parameterBytes;
}

/** Elements of a load's target or a store's source when they are not as many as the name says. */
function misfitOf({ matched: { traits, modifiers }, operands }: ProgramInstruction): number | undefined {
  const { access } = traits;
  if (access !== "load" && access !== "store") return undefined;
  const value = operands[access === "load" ? 0 : 1];
  const count = value?.kind === "vector" ? value.elements.length : 1;
  return count === Number(modifiers["vector"]?.slice(1) ?? 1) ? undefined : count;
}
