import { type Outcome, fail, succeed } from "../../base/outcome";
import type { Traits } from "../opcodes/families";
import type { LocatedRefusal, Program, ProgramInstruction, ProgramOperand } from "../flatten/program";

/** How a block ends. Numbers are blocks. */
export type Terminator =
  | { readonly kind: "jump"; readonly target: number }
  | {
      readonly kind: "branch";
      readonly register: number;
      readonly negated: boolean;
      readonly taken: number;
      readonly otherwise: number;
    }
  | { readonly kind: "table"; readonly index: ProgramOperand; readonly targets: readonly number[] }
  /** The block's other warps have their turn, unless some of the warp's lanes are elsewhere. */
  | { readonly kind: "pause"; readonly next: number }
  | { readonly kind: "barrier"; readonly instruction: ProgramInstruction; readonly next: number }
  /**
   * Saves what is live behind the call when `saves`, and goes to a procedure: one block, or what a function
   * pointer says.
   */
  | {
      readonly kind: "call";
      readonly instruction: ProgramInstruction;
      readonly target?: number;
      readonly saves: boolean;
      readonly next: number;
    }
  | { readonly kind: "return"; readonly instruction: ProgramInstruction }
  | { readonly kind: "trap" }
  | { readonly kind: "exit" };

export interface CodeBlock {
  /** Instructions that do something besides passing control on. */
  readonly instructions: readonly ProgramInstruction[];
  readonly terminator: Terminator;
  /** The instruction that is the terminator, when one is written. */
  readonly last?: ProgramInstruction;
  /** Number of the procedure that the block belongs to. */
  readonly procedure: number;
  /** Block that ends in the call from which control comes back here. */
  readonly resumes?: number;
}

/** Ends that lanes whose guard is false go around, since a whole warp takes part in them. */
const goneAround: ReadonlySet<Traits["flow"]> = new Set(["barrier", "table", "trap"] as const);

/** Longer runs are cut, so that no WebAssembly function has too many locals or too much code. */
const longestBlock = 300;

/**
 * True for instructions that wait for other lanes of the warp: each starts a block, so that lanes can wait
 * before it.
 */
export function isGathering({ matched }: ProgramInstruction): boolean {
  return matched.traits.gathers !== undefined;
}

/** True for an instruction that waits for the grid before (PTX ISA, griddepcontrol): it starts a block. */
export function waitsForGrid({ matched }: ProgramInstruction): boolean {
  return matched.family === "grid-wait";
}

/** Whether a program waits for the grid before, and lets the next one begin before it has ended. */
export function gridDependence(blocks: readonly CodeBlock[]): {
  readonly waits: boolean;
  readonly releases: boolean;
} {
  const all = blocks.flatMap(({ instructions }) => instructions).map(({ matched }) => matched);
  return {
    waits: all.some(({ family }) => family === "grid-wait"),
    releases: all.some(({ modifiers }) => modifiers["action"] === "launch_dependents"),
  };
}

/** A flat list of pieces that end where control may go elsewhere; labels are resolved in a second step. */
interface Piece {
  readonly instructions: ProgramInstruction[];
  last?: ProgramInstruction;
  /**
   * Branch around the instruction that follows (a guarded barrier or the like): its block is the next but
   * one.
   */
  skip?: boolean;
  /** Label that the piece goes to without an instruction. */
  goto?: string;
  /** The warp pauses behind the piece. */
  pauses?: boolean;
  /** Piece behind a call; nothing else may lead to it. */
  resumes?: boolean;
  readonly procedure: number;
}

/** A program in blocks. */
export interface Split {
  readonly blocks: readonly CodeBlock[];
  /** Functions that calls through registers may reach, by signature: their numbers and first blocks. */
  readonly pointers: ReadonlyMap<string, readonly { readonly number: number; readonly block: number }[]>;
}

/** Splits a program into blocks (PTX ISA section 9.7.12 for the control instructions). */
export function splitBlocks(program: Program): Outcome<Split, LocatedRefusal> {
  const { pieces, labels } = cutPieces(program);
  const excess = excessOf(pieces.length, program);
  if (excess !== undefined) return fail({ reason: `refused: ${excess}` });
  const exitBlock = pieces.length - 1;
  const blocks: CodeBlock[] = [];
  for (const [index, piece] of pieces.entries()) {
    const terminator = endOf(piece, { index, labels, exitBlock, program });
    if (!terminator.ok) return terminator;
    const { instructions, last, resumes } = piece;
    blocks.push({
      instructions,
      terminator: terminator.value,
      procedure: piece.procedure,
      ...(last ? { last } : {}),
      ...(resumes ? { resumes: index - 1 } : {}),
    });
  }
  const pointers = new Map(
    [...program.pointers].map(([key, list]) => [
      key,
      list
        .map(({ number, label }) => ({ number, block: labels.get(label) ?? exitBlock }))
        .sort((a, b) => a.number - b.number),
    ]),
  );
  return succeed({ blocks, pointers });
}

/** Pieces in order, the last of which is where the kernel ends, and the piece at each label. */
interface Cut {
  readonly pieces: readonly Piece[];
  readonly labels: ReadonlyMap<string, number>;
}

function cutPieces({ steps }: Program): Cut {
  let procedure = 0;
  let piece: Piece = { instructions: [], procedure };
  const pieces = [piece];
  const labels = new Map<string, number>();
  const open = (): void => {
    piece = { instructions: [], procedure };
    pieces.push(piece);
  };
  const start = (): Piece => {
    if (!isEmpty(piece)) open();
    return piece;
  };
  for (const step of steps) {
    switch (step.kind) {
      case "instruction":
        appendStep(piece, start, step.instruction);
        break;
      case "pause":
        piece.pauses = true;
        start();
        break;
      case "procedure":
        procedure += 1;
        open();
        break;
      case "label":
        start();
        labels.set(step.name, pieces.length - 1);
        break;
      case "goto":
        start().goto = step.name;
        break;
      case "resume":
        start().resumes = true;
        break;
    }
  }
  start();
  open();
  return { pieces, labels };
}

/** True for a piece that nothing stands in or leads to by itself. */
function isEmpty({ instructions, last, resumes, pauses, goto }: Piece): boolean {
  return instructions.length === 0 && !last && !resumes && !pauses && goto === undefined;
}

/** Limits that keep code generation short: compilers stay far below. */
const maximumBlocks = 20_000;
const maximumTargets = 20_000;
/** Of the liveness analysis: one bit for each register in each block. */
const maximumBits = 1 << 28;

/** What a program has too much of; undefined for all that compilers make. */
function excessOf(blocks: number, { registers, tables }: Program): string | undefined {
  const targets = [...tables.values()].reduce((sum, labels) => sum + labels.length, 0);
  if (blocks > maximumBlocks) return `more than ${maximumBlocks} blocks of code`;
  if (targets > maximumTargets) return `more than ${maximumTargets} targets of branch tables`;
  return blocks * registers.length > maximumBits
    ? `${registers.length} registers in ${blocks} blocks of code`
    : undefined;
}

/** Appends an instruction to the open piece; `start` opens another unless the open one is empty. */
function appendStep(open: Piece, start: () => Piece, instruction: ProgramInstruction): void {
  const { flow } = instruction.matched.traits;
  const startsBlock = isGathering(instruction) || waitsForGrid(instruction);
  if (instruction.guard && (startsBlock || goneAround.has(flow))) {
    open.last = { ...instruction, guard: invert(instruction) };
    open.skip = true;
    appendStep(start(), start, { ...instruction, guard: undefined });
    start();
    return;
  }
  const isFull = open.instructions.length >= longestBlock;
  const piece = startsBlock || isFull ? start() : open;
  if (flow === undefined) piece.instructions.push(instruction);
  else {
    piece.last = instruction;
    start();
  }
}

function invert({ guard }: ProgramInstruction): ProgramInstruction["guard"] {
  return guard && { register: guard.register, negated: !guard.negated };
}

interface EndContext {
  readonly index: number;
  readonly labels: ReadonlyMap<string, number>;
  readonly exitBlock: number;
  readonly program: Program;
}

function endOf(piece: Piece, context: EndContext): Outcome<Terminator, LocatedRefusal> {
  const { index, labels, exitBlock } = context;
  const next = index + 1;
  if (index === exitBlock) return succeed({ kind: "exit" });
  if (piece.pauses) return succeed({ kind: "pause", next });
  if (piece.goto !== undefined) return succeed({ kind: "jump", target: labels.get(piece.goto) ?? exitBlock });
  if (!piece.last) return succeed({ kind: "jump", target: next });
  if (piece.skip) return succeed(conditional(piece.last, index + 2, next));
  return instructionEnd(piece.last, context);
}

/** A jump, or a branch where the instruction has a guard. */
function conditional({ guard }: ProgramInstruction, target: number, otherwise: number): Terminator {
  if (!guard) return { kind: "jump", target };
  return { kind: "branch", register: guard.register, negated: guard.negated, taken: target, otherwise };
}

/** How a block ends that ends in an instruction. */
function instructionEnd(last: ProgramInstruction, context: EndContext): Outcome<Terminator, LocatedRefusal> {
  const next = context.index + 1;
  switch (last.matched.traits.flow) {
    case "return":
    case "exit":
      return succeed(last.guard ? conditional(last, context.exitBlock, next) : { kind: "exit" });
    case "trap":
      return succeed({ kind: "trap" });
    case "leave":
      return succeed({ kind: "return", instruction: last });
    case "enter":
      return callEnd(last, context);
    case "table":
      return tableEnd(last, context);
    case "barrier":
      return succeed({ kind: "barrier", instruction: last, next });
    default:
      return branchEnd(last, context);
  }
}

function branchEnd(
  last: ProgramInstruction,
  { index, labels }: EndContext,
): Outcome<Terminator, LocatedRefusal> {
  const [target] = last.operands;
  const found = target?.kind === "label" ? labels.get(target.name) : undefined;
  if (found === undefined) return fail({ reason: "refused: bra (unknown label)", location: last.location });
  return succeed(conditional(last, found, index + 1));
}

function callEnd(
  last: ProgramInstruction,
  { index, labels }: EndContext,
): Outcome<Terminator, LocatedRefusal> {
  const [to] = last.operands;
  const target = to?.kind === "label" ? labels.get(to.name) : undefined;
  if (to?.kind === "label" && target === undefined)
    return fail({ reason: "refused: call (unknown function)", location: last.location });
  const saves = last.matched.modifiers.saves === true;
  return succeed({
    kind: "call",
    instruction: last,
    saves,
    next: index + 1,
    ...(target === undefined ? {} : { target }),
  });
}

function tableEnd(
  last: ProgramInstruction,
  { labels, program }: EndContext,
): Outcome<Terminator, LocatedRefusal> {
  const [index, list] = last.operands;
  const names = list?.kind === "label" ? program.tables.get(list.name) : undefined;
  const targets = names?.map((name) => labels.get(name));
  if (!index || !targets || targets.includes(undefined))
    return fail({ reason: "refused: brx.idx (unknown targets)", location: last.location });
  return succeed({ kind: "table", index, targets: targets.filter((target) => target !== undefined) });
}
