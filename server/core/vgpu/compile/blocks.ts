import { type Outcome, fail, succeed } from "../../base/outcome";
import type { LocatedRefusal, Program, ProgramInstruction, ProgramOperand } from "./program";

/** How a block ends. Numbers are blocks. */
export type Terminator =
  | { readonly kind: "jump"; readonly target: number }
  | { readonly kind: "branch"; readonly register: number; readonly negated: boolean; readonly taken: number; readonly otherwise: number }
  | { readonly kind: "table"; readonly index: ProgramOperand; readonly targets: readonly number[] }
  | { readonly kind: "barrier"; readonly instruction: ProgramInstruction; readonly next: number }
  | { readonly kind: "trap" }
  | { readonly kind: "exit" };

export interface CodeBlock {
  /** Instructions that do something besides passing control on. */
  readonly instructions: readonly ProgramInstruction[];
  readonly terminator: Terminator;
  /** The instruction that is the terminator, when one is written. */
  readonly last?: ProgramInstruction;
}

/** Warp-wide instructions that wait for the lanes named in their member mask: each starts a block, so that lanes can wait before it. */
const gathering: ReadonlySet<string> = new Set([
  "shuffle", "vote", "match", "reduce-warp", "elect", "warp-sync", "load-matrix", "store-matrix", "move-matrix", "matrix-multiply",
  "load-fragment", "store-fragment", "multiply-fragments",
]);
const barriers: ReadonlySet<string> = new Set(["barrier", "barrier-reduction"]);
const ends: ReadonlySet<string> = new Set(["return", "exit", "trap"]);

/** Longer runs are cut, so that no WebAssembly function has too many locals or too much code. */
const longestBlock = 300;

export function isGathering(instruction: ProgramInstruction): boolean {
  return gathering.has(instruction.matched.family);
}

/** A flat list of pieces that end where control may go elsewhere; labels are resolved in a second step. */
interface Piece {
  readonly instructions: ProgramInstruction[];
  last?: ProgramInstruction;
  /** Branch around the instruction that follows (a guarded barrier or the like): its block is the next but one. */
  skip?: boolean;
}

/** Splits a program into blocks (PTX ISA section 9.7.12 for the control instructions). */
export function splitBlocks(program: Program): Outcome<readonly CodeBlock[], LocatedRefusal> {
  const pieces: Piece[] = [{ instructions: [] }];
  const labels = new Map<string, number>();
  const start = (): void => {
    const last = pieces.at(-1);
    if (!last || last.instructions.length > 0 || last.last) pieces.push({ instructions: [] });
  };
  for (const step of program.steps) {
    if (step.kind === "label") {
      start();
      labels.set(step.name, pieces.length - 1);
    } else appendStep(pieces, start, step.instruction);
  }
  start();
  pieces.push({ instructions: [] });
  const exitBlock = pieces.length - 1;
  const blocks: CodeBlock[] = [];
  for (const [index, piece] of pieces.entries()) {
    const terminator = endOf(piece, { index, labels, exitBlock, program });
    if (!terminator.ok) return terminator;
    blocks.push({ instructions: piece.instructions, terminator: terminator.value, ...(piece.last ? { last: piece.last } : {}) });
  }
  return succeed(blocks);
}

function appendStep(pieces: Piece[], start: () => void, instruction: ProgramInstruction): void {
  const { family } = instruction.matched;
  const controls = family === "branch" || family === "branch-table" || barriers.has(family) || ends.has(family);
  const guarded = instruction.guard !== undefined;
  if (guarded && (isGathering(instruction) || barriers.has(family) || family === "branch-table" || family === "trap")) {
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
  if (!last) return succeed({ kind: "jump", target: next });
  const { family } = last.matched;
  const conditional = (target: number): Terminator => (last.guard
    ? { kind: "branch", register: last.guard.register, negated: last.guard.negated, taken: target, otherwise: next }
    : { kind: "jump", target });
  if (piece.skip) return succeed(conditional(index + 2));
  if (family === "return" || family === "exit") return succeed(last.guard ? conditional(exitBlock) : { kind: "exit" });
  if (family === "trap") return succeed({ kind: "trap" });
  if (family === "branch-table") return tableEnd(last, context);
  if (barriers.has(family)) return succeed({ kind: "barrier", instruction: last, next });
  const [target] = last.operands;
  const found = target?.kind === "label" ? labels.get(target.name) : undefined;
  if (found === undefined) return fail({ reason: "refused: bra (unknown label)", location: last.location });
  return succeed(conditional(found));
}

function tableEnd(last: ProgramInstruction, { labels, program }: EndContext): Outcome<Terminator, LocatedRefusal> {
  const [index, list] = last.operands;
  const names = list?.kind === "label" ? program.tables.get(list.name) : undefined;
  const targets = names?.map((name) => labels.get(name));
  if (!index || !targets || targets.includes(undefined)) return fail({ reason: "refused: brx.idx (unknown targets)", location: last.location });
  return succeed({ kind: "table", index, targets: targets.filter((target) => target !== undefined) });
}
