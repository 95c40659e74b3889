import { type Outcome, fail, succeed } from "../../base/outcome";
import {
  type LocatedRefusal,
  type Program,
  type ProgramInstruction,
  type ProgramOperand,
  isOfWholeWarp,
} from "../flatten/program";

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

/**
 * Warp-wide instructions that wait for the lanes named in their member mask: each starts a block, so that
 * lanes can wait before it.
 */
const gathering: ReadonlySet<string> = new Set([
  "shuffle",
  "vote",
  "match",
  "reduce-warp",
  "elect",
  "warp-sync",
]);
const barriers: ReadonlySet<string> = new Set(["barrier", "barrier-reduction"]);
const transfers: ReadonlySet<string> = new Set(["call-procedure", "return-procedure"]);
const ends: ReadonlySet<string> = new Set(["return", "exit", "trap"]);

/** Longer runs are cut, so that no WebAssembly function has too many locals or too much code. */
const longestBlock = 300;

export function isGathering(instruction: ProgramInstruction): boolean {
  return gathering.has(instruction.matched.family) || isOfWholeWarp(instruction);
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
  let procedure = 0;
  const pieces: Piece[] = [{ instructions: [], procedure }];
  const labels = new Map<string, number>();
  const start = (): void => {
    const last = pieces.at(-1);
    if (
      !last ||
      last.instructions.length > 0 ||
      last.last ||
      last.resumes ||
      last.pauses ||
      last.goto !== undefined
    )
      pieces.push({ instructions: [], procedure });
  };
  for (const step of program.steps) {
    if (step.kind === "instruction") appendStep(pieces, start, step.instruction);
    else if (step.kind === "pause") {
      Object.assign(pieces.at(-1) ?? {}, { pauses: true });
      start();
    } else if (step.kind === "procedure") {
      procedure += 1;
      pieces.push({ instructions: [], procedure });
    } else {
      start();
      if (step.kind === "label") labels.set(step.name, pieces.length - 1);
      else Object.assign(pieces.at(-1) ?? {}, step.kind === "goto" ? { goto: step.name } : { resumes: true });
    }
  }
  start();
  pieces.push({ instructions: [], procedure });
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

function appendStep(pieces: Piece[], start: () => void, instruction: ProgramInstruction): void {
  const { family } = instruction.matched;
  const controls =
    family === "branch" ||
    family === "branch-table" ||
    barriers.has(family) ||
    ends.has(family) ||
    transfers.has(family);
  const guarded = instruction.guard !== undefined;
  if (
    guarded &&
    (isGathering(instruction) || barriers.has(family) || family === "branch-table" || family === "trap")
  ) {
    const around = pieces.at(-1);
    if (around) Object.assign(around, { last: { ...instruction, guard: invert(instruction) }, skip: true });
    start();
    appendStep(pieces, start, { ...instruction, guard: undefined });
    start();
    return;
  }
  if (isGathering(instruction) || (pieces.at(-1)?.instructions.length ?? 0) >= longestBlock) start();
  const piece = pieces.at(-1);
  if (!piece) return;
  if (!controls) {
    piece.instructions.push(instruction);
    return;
  }
  piece.last = instruction;
  start();
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
  const { last } = piece;
  if (piece.pauses) return succeed({ kind: "pause", next });
  if (piece.goto !== undefined) return succeed({ kind: "jump", target: labels.get(piece.goto) ?? exitBlock });
  if (!last) return succeed({ kind: "jump", target: next });
  const { family } = last.matched;
  const conditional = (target: number): Terminator =>
    last.guard
      ? {
          kind: "branch",
          register: last.guard.register,
          negated: last.guard.negated,
          taken: target,
          otherwise: next,
        }
      : { kind: "jump", target };
  if (piece.skip) return succeed(conditional(index + 2));
  if (family === "return" || family === "exit")
    return succeed(last.guard ? conditional(exitBlock) : { kind: "exit" });
  if (family === "trap") return succeed({ kind: "trap" });
  if (family === "return-procedure") return succeed({ kind: "return", instruction: last });
  if (family === "call-procedure") return callEnd(last, context);
  if (family === "branch-table") return tableEnd(last, context);
  if (barriers.has(family)) return succeed({ kind: "barrier", instruction: last, next });
  const [target] = last.operands;
  const found = target?.kind === "label" ? labels.get(target.name) : undefined;
  if (found === undefined) return fail({ reason: "refused: bra (unknown label)", location: last.location });
  return succeed(conditional(found));
}

function callEnd(
  last: ProgramInstruction,
  { index, labels }: EndContext,
): Outcome<Terminator, LocatedRefusal> {
  const [to] = last.operands;
  const target = to?.kind === "label" ? labels.get(to.name) : undefined;
  if (to?.kind === "label" && target === undefined)
    return fail({ reason: "refused: call (unknown function)", location: last.location });
  const saves = last.matched.modifiers["saves"] !== undefined;
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
