import { definedName, signatureOf } from "../functions";
import { isParameterSpace } from "../ptx/spaces";
import type { Instruction, Operand, PtxFunction, PtxModule } from "../ptx/module";

/** Where a call may go. */
export type CallTarget =
  | { readonly kind: "function"; readonly name: string }
  /** Through a register to any function with this signature whose address is taken, or to one of a list. */
  | { readonly kind: "pointer"; readonly signature: string; readonly among?: readonly string[] }
  /** Through a register, with neither a prototype nor a list of targets. */
  | { readonly kind: "unknown" };

/** What has to be known of a function's body before it is put in line or called. */
interface FunctionFacts {
  readonly calls: readonly CallTarget[];
  /**
   * Names of functions and variables whose address is used as a value: of functions to call and of parameters
   * that need a place in memory.
   */
  readonly addressed: ReadonlySet<string>;
  readonly allocates: boolean;
  /** Instructions as written. */
  readonly size: number;
}

/** The parts of a call: `call (results), target, (arguments), prototype` (PTX ISA section 9.7.13.5). */
export interface CallParts {
  readonly results: readonly Operand[];
  readonly target: Operand | undefined;
  readonly arguments: readonly Operand[];
  /** Label of a prototype or of a list of targets. */
  readonly prototype: string | undefined;
}

export function callParts({ operands }: Instruction): CallParts {
  const [first] = operands;
  const results = first?.kind === "list" ? first.elements : [];
  const [target, ...rest] = first?.kind === "list" ? operands.slice(1) : operands;
  const list = rest[0]?.kind === "list" ? rest[0].elements : [];
  const last = rest.at(-1);
  return { results, target, arguments: list, prototype: last?.kind === "symbol" ? last.name : undefined };
}

/**
 * The target of a call in a function; prototypes and lists of targets are looked up in the function's own
 * statements.
 */
export function callTarget(module: PtxModule, caller: PtxFunction, instruction: Instruction): CallTarget {
  const { target, prototype } = callParts(instruction);
  if (target?.kind === "symbol") return { kind: "function", name: definedName(module, target.name) };
  const declared = prototype === undefined ? undefined : prototypesOf(caller).get(prototype);
  if (declared?.kind === "prototype") return { kind: "pointer", signature: signatureOf(declared) };
  const first = declared?.kind === "targets" ? module.functions.get(declared.labels[0] ?? "") : undefined;
  if (declared?.kind !== "targets" || !first) return { kind: "unknown" };
  return {
    kind: "pointer",
    signature: signatureOf(first),
    among: declared.labels.map((label) => definedName(module, label)),
  };
}

type Declared = Extract<PtxFunction["statements"][number], { kind: "prototype" | "targets" }>;

const knownPrototypes = new WeakMap<PtxFunction, ReadonlyMap<string, Declared>>();

function prototypesOf(caller: PtxFunction): ReadonlyMap<string, Declared> {
  const known = knownPrototypes.get(caller);
  if (known) return known;
  const found = new Map<string, Declared>();
  for (const statement of caller.statements) {
    if (statement.kind === "prototype" || statement.kind === "targets") found.set(statement.name, statement);
  }
  knownPrototypes.set(caller, found);
  return found;
}

const knownFacts = new WeakMap<PtxFunction, FunctionFacts>();

/** Looks through a function once; later calls give the same facts. */
export function factsOf(module: PtxModule, entry: PtxFunction): FunctionFacts {
  const known = knownFacts.get(entry);
  if (known) return known;
  const calls: CallTarget[] = [];
  const addressed = new Set<string>();
  let [size, allocates] = [0, false];
  for (const statement of entry.statements) {
    if (statement.kind !== "instruction") continue;
    const { instruction } = statement;
    size += 1;
    if (instruction.opcode === "call") calls.push(callTarget(module, entry, instruction));
    else {
      if (instruction.opcode === "alloca") allocates = true;
      for (const operand of instruction.operands) noteAddressed(operand, instruction, addressed);
    }
  }
  const facts = { calls, addressed, allocates, size };
  knownFacts.set(entry, facts);
  return facts;
}

/**
 * A name inside of the brackets of ld.param and st.param is an access; anywhere else its address becomes a
 * value.
 */
function noteAddressed(operand: Operand, instruction: Instruction, into: Set<string>): void {
  if (operand.kind === "symbol") into.add(operand.name);
  else if (operand.kind === "address") {
    const isAccess =
      (instruction.opcode === "ld" || instruction.opcode === "st") &&
      instruction.modifiers.some(isParameterSpace);
    if (!isAccess || operand.base.kind !== "symbol") noteAddressed(operand.base, instruction, into);
  } else if (operand.kind === "vector" || operand.kind === "list")
    for (const element of operand.elements) noteAddressed(element, instruction, into);
}
