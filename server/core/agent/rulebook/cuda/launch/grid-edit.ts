import type { CudaLaunch } from "../../../../language/cuda/launches";
import { collapse, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import type { KernelView } from "../kernel";

/** The expressions of an extent in x, y and z before and after: `(x) => `${x} * 32``. */
type Extents = (extents: readonly [string, string, string]) => readonly [string, string, string];

/**
 * True where the spec says the grid, so that no source can change it. A recorded program runs anew when its
 * host code changes, whatever its spec says: the launches of the file decide there.
 */
export function specFixesGrid({ spec: { run, program } }: RuleInput, { launches }: KernelView): boolean {
  const replayed = program === undefined || launches.length === 0;
  return replayed && run.kind === "launch" && run.launch.grid !== undefined;
}

/** True where host code of the candidate runs when it is judged, so that it can work out a launch. */
export function hostCodeRuns({ spec: { run, program } }: RuleInput): boolean {
  return run.kind === "entry" || program !== undefined;
}

/**
 * The only launch of the kernel, with a grid that the source states; a guard's answer where it is elsewhere.
 */
export function onlyLaunch(input: RuleInput, view: KernelView): CudaLaunch | RuleHold {
  if (specFixesGrid(input, view)) return fixedGrid(view);
  const [launch, ...others] = view.launches;
  if (launch === undefined) return not("launch", "no launch of the kernel stands in its file", view.line);
  const other = others[0];
  return other === undefined ? launch : not("launch", "the kernel has more than one launch", other.call);
}

/**
 * Changes the grid of every launch, however it is written: the host's own expressions stay as they are. A
 * launcher that chooses among several (by template arguments, say) has all of them changed in step.
 */
export function gridEdits(
  input: RuleInput,
  view: KernelView,
  change: Extents,
): readonly TextEdit[] | RuleHold {
  const only = view.launches.length < 2 ? onlyLaunch(input, view) : undefined;
  if (isNot(only)) return only;
  if (specFixesGrid(input, view)) return fixedGrid(view);
  const edits = view.launches.map((launch) => {
    const written = writtenGrid(launch.call);
    if (written === undefined || launch.grid.length === 0)
      return not("launch", "the grid of the launch cannot be read", launch.call);
    return replaceNode(written, gridText(change(extentsOf(written, launch))));
  });
  return edits.find(isNot) ?? edits.flatMap((edit) => (isNot(edit) ? [] : [edit]));
}

function fixedGrid({ line }: KernelView): RuleHold {
  return not("fixed-elsewhere", "the kernel spec fixes the grid, which would have to follow", line);
}

/** The first expression between `<<<` and `>>>`. */
export function writtenGrid(call: SyntaxNode): SyntaxNode | undefined {
  const configuration = call.children.find((child) => child.type === "kernel_call_syntax");
  return partsOf(configuration)[0];
}

/** The second expression of the only launch; undefined where there are more launches. */
export function writtenBlock({ launches }: KernelView): SyntaxNode | undefined {
  const [launch, ...more] = launches;
  const configuration = launch?.call.children.find((child) => child.type === "kernel_call_syntax");
  return more.length > 0 ? undefined : partsOf(configuration)[1];
}

/** The block of the only launch as a plain number; nothing where the launch cannot be edited. */
export function resizedBlock(view: KernelView, threads: number): readonly TextEdit[] {
  const written = writtenBlock(view);
  return written === undefined ? [] : [replaceNode(written, String(threads))];
}

/** The extents of a grid as text, x first; 1 where none is said. */
export function extentsOf(
  written: SyntaxNode,
  { grid, names }: CudaLaunch,
): readonly [string, string, string] {
  const whole = collapse(written.text);
  if (written.type === "identifier" && names.has(`${whole}.x`))
    return [`${whole}.x`, `${whole}.y`, `${whole}.z`];
  return [grid[0]?.text ?? "1", grid[1]?.text ?? "1", grid[2]?.text ?? "1"];
}

/** A grid of these extents: a plain number of blocks where it has one dimension. */
function gridText([x, y, z]: readonly [string, string, string]): string {
  if (y === "1" && z === "1") return x;
  return z === "1" ? `dim3(${x}, ${y})` : `dim3(${x}, ${y}, ${z})`;
}

/** An expression as a factor. */
export function factorOf(text: string): string {
  return /^[\w.]+$/.test(text) ? text : `(${text})`;
}
