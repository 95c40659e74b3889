import { warpLayout } from "../../layout";
import type { CalledFrom, ProgramInstruction } from "../../flatten/program";
import type { Machine } from "./machine";

/** Calls that a message names, from the innermost out. */
const mostNamed = 4;

/** A lane of a warp (linear address), which has called its way to where it is. */
interface Caller {
  readonly warp: number;
  readonly lane: number;
}

/**
 * What a message adds about code in a function that the kernel calls: `, called from scale.cu:12 from
 * scale.cu:30`. Empty in the kernel itself and without line information.
 */
export function callersText(
  machine: Machine,
  instruction: Pick<ProgramInstruction, "calledFrom"> | undefined,
  caller: Caller,
): string {
  const named: string[] = [];
  for (const location of callsOf(machine, instruction, caller)) {
    const line = machine.kernel.code.lines.of(location);
    const text = line && `${line.file.replace(/^.*[\\/]/, "")}:${line.line}`;
    if (text !== undefined && text !== named.at(-1)) named.push(text);
    if (named.length === mostNamed) break;
  }
  return named.length === 0 ? "" : `, called ${named.map((text) => `from ${text}`).join(" ")}`;
}

/**
 * What a message adds about code that stands in another file than its line, or in a function that is called.
 */
export function codeText(machine: Machine, instruction: ProgramInstruction, caller: Caller): string {
  return `${machine.kernel.code.lines.inner(instruction.location)}${callersText(machine, instruction, caller)}`;
}

/**
 * Indices of the `.loc` of the calls: those of functions put in line are known from the code, the others
 * stand on the lane's call stack.
 */
function* callsOf(
  { kernel: { code }, view }: Machine,
  instruction: Pick<ProgramInstruction, "calledFrom"> | undefined,
  { warp, lane }: Caller,
): Generator<number> {
  yield* inlinedCalls(instruction?.calledFrom);
  if (code.returns.size === 0) return;
  const stack = warp + code.stack.at + lane * code.stack.bytes;
  for (
    let top = view.getInt32(warp + warpLayout.stackTop + 4 * lane, true);
    top >= 8 && top <= code.stack.bytes;
  ) {
    const found = code.returns.get(view.getInt32(stack + top - 8, true));
    const end = found && code.blocks[found.block]?.terminator;
    if (!found || end?.kind !== "call") return;
    yield end.instruction.location;
    yield* inlinedCalls(end.instruction.calledFrom);
    top -= found.bytes;
  }
}

function* inlinedCalls(from: CalledFrom | undefined): Generator<number> {
  for (let call = from; call; call = call.calledFrom) yield call.location;
}
