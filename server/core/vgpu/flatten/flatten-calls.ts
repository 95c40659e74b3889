import { functionNumbers, wordsOf } from "../functions";
import type { Instruction, Operand, Parameter, PtxFunction } from "../ptx/module";
import {
  type Draft,
  DraftRefusalError,
  type Frame,
  type Guard,
  addInstruction,
  addRegister,
  addStep,
  addSynthetic,
} from "./draft";
import { jump, openFrame, resolve } from "./frames";
import { type CallParts, callParts, callTarget, factsOf } from "./function-facts";
import type { ProgramOperand } from "./program";
import {
  type Storage,
  type Words,
  copyStorage,
  loadElement,
  newStorage,
  newWords,
  scalarType,
  storeElement,
} from "./storage";

type Like = Pick<Instruction, "location" | "ptxLine">;

/** Words of parameters and results of one call: more are refused as absurd. */
const maximumWords = 1024;

/** A call as it stands in a function. */
export interface CallSite {
  readonly caller: PtxFunction;
  readonly instruction: Instruction;
  readonly guard: Guard;
}

interface Signature {
  readonly parameters: readonly Parameter[];
  readonly results: readonly Parameter[];
}

/**
 * Functions that the driver provides (CUDA C++ Programming Guide, device-side printf, malloc and assert):
 * bytes of their arguments and result.
 */
const systemFunctions: ReadonlyMap<string, { readonly sizes: readonly number[]; readonly result: number }> =
  new Map([
    ["vprintf", { sizes: [8, 8], result: 4 }],
    ["malloc", { sizes: [8], result: 8 }],
    ["free", { sizes: [8], result: 0 }],
    ["__assertfail", { sizes: [8, 8, 4, 8, 8], result: 0 }],
  ]);

/** True for the name of a function that no module has to define. */
export function isSystemFunction(name: string): boolean {
  return systemFunctions.has(name);
}

export function procedureLabel(name: string): string {
  return `@function:${name}`;
}

/** The registers through which words go from a caller to a function (`arguments`) or back. */
export function mailboxWords(
  draft: Draft,
  kind: "arguments" | "results",
  { first, size }: { readonly first: number; readonly size: number },
): Words {
  const end = first + wordsOf({ size });
  if (end > maximumWords)
    throw new DraftRefusalError({
      reason: `refused: call (more than ${4 * maximumWords} bytes of parameters)`,
    });
  const list = draft.mailbox[kind];
  while (list.length < end) {
    const register = addRegister(draft, "b32");
    draft.pinned.add(register);
    list.push(register);
  }
  return { kind: "words", registers: list.slice(first, end), size };
}

/**
 * Appends a call in one of its four shapes: of the driver's function, in line, direct, or through a register.
 */
export function appendCall(draft: Draft, frame: Frame, site: CallSite): void {
  const { caller, instruction, guard } = site;
  const target = callTarget(draft.module, caller, instruction);
  const skip = `@skip${draft.steps.length}`;
  if (guard) {
    addInstruction(draft, {
      matched: jump(instruction),
      operands: [{ kind: "label", name: skip }],
      guard: { ...guard, negated: !guard.negated },
      location: instruction.location,
      ptxLine: instruction.ptxLine,
    });
  }
  const parts = callParts(instruction);
  if (target.kind === "unknown") refuse(instruction, "call (through a register, without a prototype)");
  else if (target.kind === "pointer") appendIndirect(draft, frame, { site, parts, target });
  else {
    const callee = draft.module.functions.get(target.name);
    if (!callee?.hasBody) appendSystemCall(draft, frame, { name: target.name, instruction, parts });
    else if (callee.isEntry) refuse(instruction, `call ${target.name} (a kernel)`);
    else if (draft.graph.isInlined(target.name)) appendInline(draft, frame, { callee, instruction, parts });
    else
      appendTransfer(draft, frame, {
        signature: callee,
        instruction,
        parts,
        to: { kind: "label", name: procedureLabel(target.name) },
        modifiers: keeps(draft, [target.name]),
      });
  }
  if (guard) addStep(draft, { kind: "label", name: skip });
}

/**
 * Registers have to be kept when the procedure that calls may start again in the same thread before the call
 * ends: when both recur.
 */
function keeps(draft: Draft, callees: readonly string[]): Readonly<Record<string, string>> {
  return draft.activation.frame !== undefined && callees.some((name) => draft.graph.reentrant.has(name))
    ? { saves: "saves" }
    : {};
}

function refuse({ location }: Like, what: string): never {
  throw new DraftRefusalError({ reason: `refused: ${what}`, location });
}

interface Inline {
  readonly callee: PtxFunction;
  readonly instruction: Instruction;
  readonly parts: CallParts;
}

function appendInline(draft: Draft, frame: Frame, { callee, instruction, parts }: Inline): void {
  const { addressed } = factsOf(draft.module, callee);
  const after = `@return${draft.instances + 1}`;
  const inner = openFrame(draft, callee, new Map(), after);
  callee.parameters.forEach((formal, index) => {
    const source = argumentStorage(draft, frame, {
      operand: parts.arguments[index],
      size: formal.size,
      like: instruction,
    });
    const shares =
      formal.register === undefined &&
      sizeOf(source) >= formal.size &&
      !(addressed.has(formal.name) && source.kind === "words");
    if (shares) inner.names.set(formal.name, source);
    else
      bindFormal(draft, inner, { formal, source, like: instruction, addressed: addressed.has(formal.name) });
  });
  const targets = callee.results.map((formal, index) => {
    const target = resultStorage(draft, frame, {
      operand: parts.results[index],
      size: formal.size,
      like: instruction,
    });
    const shares =
      formal.register === undefined &&
      sizeOf(target) >= formal.size &&
      !(addressed.has(formal.name) && target.kind === "words");
    if (formal.register === undefined)
      inner.names.set(formal.name, shares ? target : newStorage(draft, formal, addressed.has(formal.name)));
    return target;
  });
  const around = draft.calledFrom;
  draft.calledFrom = { location: instruction.location, calledFrom: around };
  draft.append(inner, callee);
  draft.calledFrom = around;
  addStep(draft, { kind: "label", name: after });
  callee.results.forEach((formal, index) => {
    const target = targets[index];
    const own = inner.names.get(formal.name);
    if (!target) return;
    if (formal.register !== undefined) {
      if (target.kind !== "words") return refuse(instruction, "call (a result in memory)");
      storeElement(
        draft,
        target,
        { like: instruction, type: formal.type, offset: 0 },
        { kind: "register", register: formal.register + inner.firstRegister },
      );
    } else if (own && own !== target)
      copyStorage(draft, instruction, { from: own, to: target, count: wordsOf(formal) });
    giveResult(draft, frame, {
      operand: parts.results[index],
      from: target,
      like: instruction,
      size: formal.size,
    });
  });
}

/** Bytes that a storage holds at least; memory has been laid out for its variable. */
function sizeOf(storage: Storage): number {
  return storage.kind === "words" ? 4 * storage.registers.length : Infinity;
}

interface Passed {
  readonly operand: Operand | undefined;
  readonly size: number;
  readonly like: Instruction;
}

/** Where an argument is. One that is a register or a number is brought into words. */
function argumentStorage(draft: Draft, frame: Frame, { operand, size, like }: Passed): Storage {
  if (!operand) return refuse(like, "call (an argument is missing)");
  const named = operand.kind === "symbol" ? frame.names.get(operand.name) : undefined;
  if (named)
    return named.kind === "place" && named.space !== "local"
      ? refuse(like, "call (arguments not in .param variables)")
      : named;
  if (operand.kind !== "register" && operand.kind !== "integer" && operand.kind !== "float")
    return refuse(like, "call (arguments not in .param variables)");
  const words = newWords(draft, size);
  storeElement(draft, words, { like, type: scalarType(size), offset: 0 }, resolve(draft, frame, operand));
  return words;
}

/** Where a result goes; for a register words in between. */
function resultStorage(draft: Draft, frame: Frame, { operand, size, like }: Passed): Storage {
  const named = operand?.kind === "symbol" ? frame.names.get(operand.name) : undefined;
  if (named?.kind === "words" || (named?.kind === "place" && named.space === "local")) return named;
  if (
    operand === undefined ||
    operand.kind === "sink" ||
    operand.kind === "register" ||
    (operand.kind === "symbol" && operand.name === "_")
  )
    return newWords(draft, size);
  return refuse(like, "call (result not in a .param variable)");
}

/** Moves a result that was asked for in a register there. */
function giveResult(
  draft: Draft,
  frame: Frame,
  { operand, from, like, size }: Passed & { readonly from: Storage },
): void {
  if (operand?.kind !== "register" || from.kind !== "words") return;
  loadElement(draft, from, { like, type: scalarType(size), offset: 0 }, resolve(draft, frame, operand));
}

interface Binding {
  readonly formal: Parameter;
  readonly source: Storage;
  readonly like: Like;
  readonly addressed: boolean;
}

/** Copies an argument to the function's own parameter: a register, registers or memory. */
export function bindFormal(draft: Draft, frame: Frame, { formal, source, like, addressed }: Binding): void {
  const own =
    formal.register !== undefined ? newWords(draft, formal.size) : newStorage(draft, formal, addressed);
  copyStorage(draft, like, { from: source, to: own, count: wordsOf(formal) });
  if (formal.register === undefined) frame.names.set(formal.name, own);
  else if (own.kind === "words")
    loadElement(
      draft,
      own,
      { like, type: formal.type, offset: 0 },
      { kind: "register", register: formal.register + frame.firstRegister },
    );
}

/** Copies a procedure's results to the mailbox; the registers there. */
export function returnResults(draft: Draft, frame: Frame, body: PtxFunction, like: Like): ProgramOperand[] {
  const registers: ProgramOperand[] = [];
  let word = 0;
  for (const formal of body.results) {
    const target = mailboxWords(draft, "results", { first: word, size: formal.size });
    const own = frame.names.get(formal.name);
    if (formal.register !== undefined) {
      storeElement(
        draft,
        target,
        { like, type: formal.type, offset: 0 },
        { kind: "register", register: formal.register + frame.firstRegister },
      );
    } else if (own) copyStorage(draft, like, { from: own, to: target, count: target.registers.length });
    registers.push(...target.registers.map((register): ProgramOperand => ({ kind: "register", register })));
    word += target.registers.length;
  }
  return registers;
}

interface Transfer {
  readonly signature: Signature;
  readonly instruction: Instruction;
  readonly parts: CallParts;
  readonly to: ProgramOperand;
  readonly modifiers: Readonly<Record<string, string>>;
}

/** Appends a call of a procedure: arguments to the mailbox, the transfer, results from the mailbox. */
function appendTransfer(
  draft: Draft,
  frame: Frame,
  { signature, instruction, parts, to, modifiers }: Transfer,
): void {
  const passed: ProgramOperand[] = [];
  let word = 0;
  signature.parameters.forEach((formal, index) => {
    const source = argumentStorage(draft, frame, {
      operand: parts.arguments[index],
      size: formal.size,
      like: instruction,
    });
    const target = mailboxWords(draft, "arguments", { first: word, size: formal.size });
    copyStorage(draft, instruction, { from: source, to: target, count: target.registers.length });
    passed.push(...target.registers.map((register): ProgramOperand => ({ kind: "register", register })));
    word += target.registers.length;
  });
  addSynthetic(draft, {
    like: instruction,
    family: "call-procedure",
    opcode: "call",
    modifiers,
    operands: [to, { kind: "list", elements: passed }],
  });
  addStep(draft, { kind: "resume" });
  word = 0;
  signature.results.forEach((formal, index) => {
    const source = mailboxWords(draft, "results", { first: word, size: formal.size });
    const target = resultStorage(draft, frame, {
      operand: parts.results[index],
      size: formal.size,
      like: instruction,
    });
    copyStorage(draft, instruction, { from: source, to: target, count: source.registers.length });
    giveResult(draft, frame, {
      operand: parts.results[index],
      from: target,
      like: instruction,
      size: formal.size,
    });
    word += source.registers.length;
  });
}

interface Indirect {
  readonly site: CallSite;
  readonly parts: CallParts;
  readonly target: Extract<ReturnType<typeof callTarget>, { kind: "pointer" }>;
}

/** A call through a register: any function of the signature whose address is taken may be reached. */
function appendIndirect(
  draft: Draft,
  frame: Frame,
  { site: { caller, instruction }, parts, target }: Indirect,
): void {
  const reached = draft.graph.reachedBy(target);
  const key = `${target.signature} ${target.among?.join(" ") ?? ""}`;
  if (!draft.pointers.has(key)) {
    const numbers = functionNumbers(draft.module);
    draft.pointers.set(
      key,
      reached.map(({ name }) => ({ number: numbers.get(name) ?? 0, label: procedureLabel(name) })),
    );
  }
  const declared =
    parts.prototype === undefined
      ? undefined
      : caller.statements.find(
          (statement) => statement.kind === "prototype" && statement.name === parts.prototype,
        );
  const signature = declared?.kind === "prototype" ? declared : reached[0];
  if (!signature || !parts.target)
    return refuse(instruction, "call (through a register, to functions that do not exist)");
  appendTransfer(draft, frame, {
    signature,
    instruction,
    parts,
    to: resolve(draft, frame, parts.target),
    modifiers: {
      pointers: key,
      ...keeps(
        draft,
        reached.map(({ name }) => name),
      ),
    },
  });
}

interface SystemCall {
  readonly name: string;
  readonly instruction: Instruction;
  readonly parts: CallParts;
}

/** A call of a function that the driver provides: arguments and result in registers. */
function appendSystemCall(draft: Draft, frame: Frame, { name, instruction, parts }: SystemCall): void {
  const known = systemFunctions.get(name);
  if (!known) return refuse(instruction, `call ${name}`);
  draft.systemCalls.add(name);
  const values = known.sizes.map((size, index): ProgramOperand => {
    const storage = argumentStorage(draft, frame, {
      operand: parts.arguments[index],
      size,
      like: instruction,
    });
    if (storage.kind !== "words") return refuse(instruction, `call ${name} (an argument in memory)`);
    const operand: ProgramOperand = { kind: "register", register: addRegister(draft, scalarType(size)) };
    loadElement(draft, storage, { like: instruction, type: scalarType(size), offset: 0 }, operand);
    return operand;
  });
  const result: ProgramOperand =
    known.result === 0 ? { kind: "sink" } : { kind: "register", register: addRegister(draft, "b64") };
  addSynthetic(draft, {
    like: instruction,
    family: "system-call",
    opcode: "call",
    modifiers: { name },
    operands: [result, ...values],
  });
  const [operand] = parts.results;
  if (known.result === 0 || !operand) return;
  const target = resultStorage(draft, frame, { operand, size: known.result, like: instruction });
  if (target.kind !== "words") return refuse(instruction, `call ${name} (a result in memory)`);
  storeElement(draft, target, { like: instruction, type: scalarType(known.result), offset: 0 }, result);
  giveResult(draft, frame, { operand, from: target, like: instruction, size: known.result });
}
