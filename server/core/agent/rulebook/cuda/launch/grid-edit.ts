import { declaredName } from "../../../../language/cuda/body/threads";
import type { CudaLaunch } from "../../../../language/cuda/launches";
import { collapse, enclosing, fieldText, partsOf, usesOf } from "../../../../language/query";
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
  const extents = grid.length === 1 ? extentsInside(written) : undefined;
  return extents ?? [grid[0]?.text ?? "1", grid[1]?.text ?? "1", grid[2]?.text ?? "1"];
}

/** The extents of an expression that is, or may be, a `dim3` as a whole: a member, a parameter, a result. */
function extentsInside(written: SyntaxNode): readonly [string, string, string] | undefined {
  const isWhole = mayBeWhole(written);
  if (isWhole === "no") return undefined;
  const text = isWhole === "yes" ? collapse(written.text) : `dim3(${collapse(written.text)})`;
  return [`${text}.x`, `${text}.y`, `${text}.z`];
}

function mayBeWhole(node: SyntaxNode): "yes" | "perhaps" | "no" {
  if (node.type === "field_expression") return memberIsWhole(node);
  const host = enclosing(node, "function_definition");
  if (node.type === "call_expression") return returnsWhole(node) ? "yes" : "no";
  if (node.type !== "identifier" || host === undefined) return "no";
  const bound = host.descendantsOfType("structured_binding_declarator");
  if (bound.some((names) => usesOf(names, node.text).length > 0)) return "perhaps";
  const declared = host
    .descendantsOfType(["parameter_declaration", "declaration"])
    .filter((each) => each.startIndex < node.startIndex)
    .find((each) => namesDeclared(each).includes(node.text));
  const type = fieldText(declared, "type").replace(/^.*::/, "");
  if (type === "dim3") return "yes";
  const value = declared?.descendantsOfType("init_declarator")[0]?.childForFieldName("value");
  return type === "auto" && value?.type === "call_expression" ? "perhaps" : "no";
}

function memberIsWhole(member: SyntaxNode): "yes" | "perhaps" | "no" {
  const name = fieldText(member, "field");
  if (/^[xyz]$/.test(name)) return "no";
  const types = rootOf(member)
    .descendantsOfType("field_declaration")
    .filter((each) => each.descendantsOfType("field_identifier").some(({ text }) => text === name))
    .map((each) => fieldText(each, "type"));
  if (types.length === 0) return "perhaps";
  return types.includes("dim3") ? "yes" : "no";
}

function rootOf(node: SyntaxNode): SyntaxNode {
  let root = node;
  while (root.parent !== null) root = root.parent;
  return root;
}

function namesDeclared(declaration: SyntaxNode): readonly string[] {
  return declaration
    .childrenForFieldName("declarator")
    .flatMap((each) => each.descendantsOfType("identifier")[0]?.text ?? []);
}

/** True for a call of a function of the file that is declared to return a `dim3`. */
function returnsWhole(call: SyntaxNode): boolean {
  const name = fieldText(call, "function");
  return rootOf(call)
    .descendantsOfType("function_definition")
    .some((node) => fieldText(node, "type") === "dim3" && declaredName(node) === name);
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
