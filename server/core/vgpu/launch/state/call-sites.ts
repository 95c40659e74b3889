import { warpLayout } from "../../layout";
import type { MemorySite } from "../../emit/emitters/memory-site";
import type { CalledFrom, ProgramInstruction } from "../../flatten/program";
import type { LaunchState } from "./launch-state";

/** Call sites that a message names, innermost first. */
const mostNamed = 4;

/** The lane whose call stack is read. `warp`: linear address. */
interface Caller {
  readonly warp: number;
  readonly lane: number;
}

/**
 * What a message adds for code in a called function: `, called from scale.cu:12 from scale.cu:30`. Empty in
 * the kernel itself and without line information.
 */
export function callersText(
  state: LaunchState,
  instruction: Pick<ProgramInstruction, "calledFrom"> | undefined,
  caller: Caller,
): string {
  const named: string[] = [];
  for (const location of callsOf(state, instruction, caller)) {
    const line = state.kernel.code.lines.of(location);
    const text = line && `${line.file.replace(/^.*[\\/]/, "")}:${line.line}`;
    if (text !== undefined && text !== named.at(-1)) named.push(text);
    if (named.length === mostNamed) break;
  }
  return named.length === 0 ? "" : `, called ${named.map((text) => `from ${text}`).join(" ")}`;
}

/** What a message adds for code that was inlined from another file, or that is in a called function. */
export function codeText(state: LaunchState, instruction: ProgramInstruction, caller: Caller): string {
  return `${state.kernel.code.lines.inner(instruction.location)}${callersText(state, instruction, caller)}`;
}

/** Key of an access's cause: the line, so that several instructions of one line count as one. */
export function causeText({ kernel }: LaunchState, { instruction, access }: MemorySite): string {
  const line = kernel.code.lines.of(instruction.location);
  return `${access} ${line ? `${line.file}:${line.line}` : instruction.ptxLine}`;
}

/**
 * `.loc` indices of the call sites, innermost first. Those of inlined functions come from the code, the
 * others from the lane's call stack.
 */
function* callsOf(
  { kernel: { code }, view }: LaunchState,
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
