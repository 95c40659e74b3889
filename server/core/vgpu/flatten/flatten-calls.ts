import { invariant } from "../../base/assert";
import { functionNumbers, wordsOf } from "../functions";
import type { Instruction, Parameter, PtxFunction } from "../ptx/module";
import { type Draft, type Frame, type Guard, addInstruction, addStep, addSynthetic } from "./draft";
import { jump, openFrame, resolve } from "./frames";
import { type CallParts, callParts, callTarget, factsOf } from "./function-facts";
import type { Modifiers } from "../opcodes/modifiers";
import type { ProgramOperand } from "./program";
import { argumentStorage, bindFormal, giveResult, mailboxWords, resultStorage, sizeOf } from "./call-values";
import { appendSystemCall, isAnswered } from "./flatten-system-calls";
import { copyStorage, newStorage, refuse, storeElement } from "./storage";

/** A call as it stands in a function. */
interface CallSite {
  readonly caller: PtxFunction;
  readonly instruction: Instruction;
  readonly guard: Guard;
}

interface Signature {
  readonly parameters: readonly Parameter[];
  readonly results: readonly Parameter[];
}

export function procedureLabel(name: string): string {
  return `@function:${name}`;
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
    if (callee === undefined || isAnswered(target.name, callee))
      appendSystemCall(draft, frame, { name: target.name, instruction, parts });
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
function keeps(draft: Draft, callees: readonly string[]): Modifiers {
  return draft.activation.frame !== undefined && callees.some((name) => draft.graph.reentrant.has(name))
    ? { saves: true }
    : {};
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

interface Transfer {
  readonly signature: Signature;
  readonly instruction: Instruction;
  readonly parts: CallParts;
  readonly to: ProgramOperand;
  readonly modifiers: Modifiers;
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
      reached.map(({ name }) => {
        const number = numbers.get(name);
        invariant(number !== undefined, "each function of a module has a number");
        return { number, label: procedureLabel(name) };
      }),
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
