import { known } from "../../../../../base/known";
import { collapse, compact, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { editedText, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../../edits";
import { isNot, not, type RuleHold } from "../../../rule";
import { launchValue, type TritonView } from "../../kernel";
import { importsWhole, multiprocessorsText } from "../../multiprocessors";
import { headOf, type Head } from "../../passes/walks";
import { libraryOf, statementAround } from "../../spread/dimension";
import { constexprOf, extentsOfGrid, parameterEdit } from "../../spread/programs";
import { headEdits, partsText, stepEdits, unitHead } from "../dealt-turns";

/** A name that goes from turn to turn, with the sides of the block that it is. */
export interface Carried {
  readonly name: string;
  /** In the kernel's words; none for a single number. */
  readonly sides: readonly string[];
  /** What of it is handed on, where that is not itself: `tl.sum(total, axis=0)`. */
  readonly handed?: string;
  /** The type in torch's words, where it is not float32. */
  readonly type?: string;
}

/** Where the second kernel finds what the first one made. */
export interface Placed {
  /** The number of a program's first part. */
  readonly begin: string;
  /** How many parts there are. */
  readonly parts: string;
  readonly load: (carried: Carried, part: string) => string;
}

/** A loop whose turns are dealt out, and how its parts come together. */
interface InParts {
  readonly loop: SyntaxNode;
  readonly carried: readonly Carried[];
  /** `k_ptrs += STEP`, the same in each turn. */
  readonly steps: readonly SyntaxNode[];
  /** The lines of the second kernel that stand where the loop was. */
  readonly together: (placed: Placed) => readonly string[];
  /** Other edits of the second kernel. */
  readonly others?: readonly TextEdit[];
  /** Parts of a loop, at most. */
  readonly most: number;
  /** Turns for each part, at least. */
  readonly turns: number;
  /** True where the number of parts has to be a power of two. */
  readonly even?: boolean;
  readonly multiprocessors: number;
}

/** Names of what both kernels and the host speak of. */
interface Names {
  readonly axis: number;
  /** Of the memory for the parts, by the name that is carried. */
  readonly memory: ReadonlyMap<string, string>;
  /** Of the number of parts, in the host's function and the second kernel. */
  readonly parts: string;
}

/**
 * The edits that deal the turns of a loop out along one more axis of the grid: each program stores its part,
 * and a second kernel, which is the first one without the turns, puts the parts together.
 */
export function inParts(view: TritonView, split: InParts): readonly TextEdit[] | RuleHold {
  const { loop, carried } = split;
  const head = headOf(view, loop) ?? unitHead(loop);
  if (head === undefined)
    return not("no-rewrite", "the loop does not go from 0 in steps of 1 or of a block", loop);
  const held = heldBack(view, split);
  if (held !== undefined) return held;
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const axis = grid.extents.length;
  if (axis > 2) return not("limit", "the grid has three dimensions already", view.launch.call);
  if (grid.chosen.length > 0) return not("launch", "the grid is chosen by a function", view.launch.call);
  const { source } = view;
  const memory = new Map(carried.map(({ name }) => [name, freshName(source, `${name}_parts`)]));
  const names = { axis, memory, parts: freshName(source, "parts") };
  const extents = grid.extents.map(({ text }) => collapse(text));
  const host = hostEdits(view, split, { names, extents, head });
  if (isNot(host)) return host;
  const parameters = parameterEdit(view, addedParameters(view, names));
  if (isNot(parameters)) return parameters;
  const second = secondKernel(view, split, names);
  if (isNot(second)) return second;
  return [
    parameters,
    ...partEdits(view, split, { head, names }),
    second,
    ...host,
    replaceNode(view.launch.grid ?? grid.tuple, `(${[...extents, names.parts].join(", ")})`),
  ];
}

/** What stands in the way, be it in front of the loop, in it or behind it. */
function heldBack(view: TritonView, { loop, carried }: InParts): RuleHold | undefined {
  if (view.tuned) return not("launch", "an autotuner chooses how the kernel runs", view.line);
  const early = view.body
    .descendantsOfType("call")
    .filter(({ startIndex }) => startIndex < loop.endIndex)
    .find((call) =>
      /\.(?:store|atomic_\w+|debug_barrier)$/.test(compact(call.childForFieldName("function"))),
    );
  if (early !== undefined) return not("dependence", "memory is written before the loop has ended", early);
  const [jump] = loop.descendantsOfType(["break_statement", "continue_statement", "return_statement"]);
  if (jump !== undefined) return not("dependence", "a turn may end the loop", jump);
  const kept = new Set(carried.map(({ name }) => name));
  const own = loop
    .descendantsOfType(["assignment", "augmented_assignment"])
    .flatMap((act) => act.childForFieldName("left")?.descendantsOfType("identifier") ?? [])
    .find(
      ({ text }) => !kept.has(text) && usesOf(view.body, text).some((use) => use.startIndex > loop.endIndex),
    );
  return own && not("dependence", `${own.text} of the last turn is used behind the loop`, own);
}

/** The number of a program among all of the first kernel's own grid. */
function numberText(library: string, axis: number): string {
  const number = (of: number): string => `${library}program_id(${of})`;
  return axis === 2 ? `(${number(0)} * ${library}num_programs(1) + ${number(1)})` : number(0);
}

/** Where the part of a program lies: `memory + part * SIDE + tl.arange(0, SIDE)`. */
function placeText(
  library: string,
  memory: string,
  { part, sides }: { part: string; sides: Carried["sides"] },
): string {
  const span = (side: string): string => `${library}arange(0, ${side})`;
  const factor = /^\w+$/.test(part) ? part : `(${part})`;
  const [first, second] = sides;
  if (first === undefined) return `${memory} + ${part}`;
  if (second === undefined) return `${memory} + ${factor} * ${first} + ${span(first)}`;
  if (first === "1") return `${memory} + ${factor} * ${second} + ${span(second)}[None, :]`;
  const row = `${factor} * ${first} + ${span(first)}[:, None]`;
  return second === "1"
    ? `${memory} + ${row}`
    : `${memory} + (${row}) * ${second} + ${span(second)}[None, :]`;
}

/** Memory for the parts and their number, as parameters. */
function addedParameters(view: TritonView, { memory, parts }: Names): string {
  return [...memory.values(), `${parts.toUpperCase()}: ${constexprOf(view)}`].join(", ");
}

/** The first kernel: every so many turns; where there are several parts it stores its own. */
function partEdits(
  view: TritonView,
  { loop, carried, steps }: InParts,
  { head, names }: { readonly head: Head; readonly names: Names },
): readonly TextEdit[] {
  const { source } = view;
  const library = libraryOf(view);
  const { axis, memory } = names;
  const part = freshName(source, "part");
  const indent = indentOf(source, loop);
  const before = `${numberText(library, axis)} * ${library}num_programs(${axis})`;
  const own = `${before} + ${library}program_id(${axis})`;
  const stores = carried.map(({ name, sides, handed }) => {
    const place = placeText(library, known(memory.get(name), name), { part, sides });
    return `${library}store(${place}, ${handed ?? name})`;
  });
  const end = partsOf(view.body).at(-1)?.endIndex ?? loop.endIndex;
  const behind = source.slice(loop.endIndex, end).replace(/\n(?=[^\n])/g, "\n    ");
  const lines = [
    `if ${names.parts.toUpperCase()} > 1:`,
    `    ${part} = ${own}`,
    ...stores.map((line) => `    ${line}`),
  ];
  const otherwise = behind.trim() === "" ? "" : `\n${indent}else:${behind}`;
  const text = lines.map((line) => `\n${indent}${line}`).join("") + otherwise;
  return [
    ...headEdits(view, head, axis),
    ...steps.flatMap((step) => stepEdits(view, { loop, step, axis })),
    { start: loop.endIndex, end, text },
  ];
}

/** The second kernel: the first as it was, with the parts in place of the turns. */
function secondKernel(view: TritonView, split: InParts, names: Names): TextEdit | RuleHold {
  const { source, definition } = view;
  const { loop, others = [] } = split;
  const decorated = definition.parent?.type === "decorated_definition" ? definition.parent : undefined;
  const name = definition.childForFieldName("name");
  if (decorated === undefined || name === null)
    return not("unreadable", "the kernel has no decorator", definition);
  const parts = names.parts.toUpperCase();
  const parameters = parameterEdit(view, addedParameters(view, names));
  if (isNot(parameters)) return parameters;
  const library = libraryOf(view);
  const begin = freshName(source, "begin");
  const load = (carried: Carried, part: string): string =>
    `${library}load(${placeText(library, known(names.memory.get(carried.name), carried.name), { part, sides: carried.sides })})`;
  const lines = [
    `${begin} = ${numberText(library, names.axis)} * ${parts}`,
    ...split.together({ begin, parts, load }),
  ];
  const edits = [
    replaceNode(name, secondName(view)),
    parameters,
    replaceNode(loop, lines.join(`\n${indentOf(source, loop)}`)),
    ...others,
  ];
  const taken = new Set(edits.map(({ start }) => start));
  edits.push(...needless(view, split).filter(({ start }) => !taken.has(start)));
  const range = { start: decorated.startIndex, end: decorated.endIndex };
  return { start: range.end, end: range.end, text: `\n\n\n${editedText(source, range, edits)}` };
}

/** Takes out what only the turns of the loop asked for. */
function needless({ source, body }: TritonView, { loop, carried }: InParts): readonly TextEdit[] {
  const dropped: SyntaxNode[] = [];
  const acts = partsOf(body)
    .filter(({ endIndex }) => endIndex < loop.startIndex)
    .flatMap((statement) => (statement.type === "expression_statement" ? partsOf(statement) : []));
  for (const act of acts.reverse()) {
    const name = act.type === "assignment" ? act.childForFieldName("left") : null;
    if (name?.type !== "identifier" || carried.some((each) => each.name === name.text)) continue;
    const isNeeded = usesOf(body, name.text).some(
      (use) => ![act, loop, ...dropped].some((part) => isInside(use, part)),
    );
    if (!isNeeded) dropped.push(act);
  }
  return dropped.map((act) => ({
    start: source.lastIndexOf("\n", act.startIndex),
    end: act.endIndex,
    text: "",
  }));
}

function secondName({ source, definition }: TritonView): string {
  return freshName(source, `${definition.childForFieldName("name")?.text ?? "kernel"}_together`);
}

interface Host {
  readonly names: Names;
  readonly extents: readonly string[];
  readonly head: Head;
}

/** Memory for the parts in front of the launch, and the second launch behind it. */
function hostEdits(view: TritonView, split: InParts, host: Host): readonly TextEdit[] | RuleHold {
  const { launch, source } = view;
  const { names } = host;
  const statement = statementAround(launch.call);
  const given = launch.call.childForFieldName("arguments");
  const last = partsOf(given).at(-1);
  const imports = importsWhole(source, "torch") && importsWhole(source, "triton");
  if (statement?.type !== "expression_statement" || !imports || !given || last === undefined)
    return not("launch", "the launch is part of something else", launch.call);
  const memory = memoryLines(view, split, host);
  if (isNot(memory)) return memory;
  const indent = indentOf(source, statement);
  const lines = (memory as readonly string[]).map((line) => `${line}\n${indent}`);
  const more = [
    ...[...names.memory.values()].map((each) => `${each}=${each}`),
    `${names.parts.toUpperCase()}=${names.parts}`,
  ];
  const isLong = given.text.includes("\n");
  const separator = isLong ? `,\n${indent}    ` : ", ";
  const added = separator + more.join(separator);
  const all = `${given.text.replace(/,?\s*\)$/, "")}${added}${isLong ? `,\n${indent})` : ")"}`;
  const second = `${secondName(view)}[${launch.grid?.text ?? ""}]${all}`;
  const inner = second.replace(/\n/g, "\n    ");
  return [
    insertBefore(statement, lines.join("")),
    { start: last.endIndex, end: last.endIndex, text: added },
    {
      start: statement.endIndex,
      end: statement.endIndex,
      text: `\n${indent}if ${names.parts} > 1:\n${indent}    ${inner}`,
    },
  ];
}

/** How many parts there are, and memory for each of them. */
function memoryLines(
  view: TritonView,
  split: InParts,
  { names, extents, head }: Host,
): readonly string[] | RuleHold {
  const { carried, even = false } = split;
  const tensor = view.parameters
    .map(({ name, pointer }) => (pointer ? launchValue(view, name) : undefined))
    .find((value) => value?.type === "identifier");
  if (tensor === undefined) return not("launch", "no tensor is passed by its name", view.launch.call);
  const count = countText(view, split, { extents, head });
  const lines = [`${names.parts} = ${even ? `triton.next_power_of_2(${count})` : count}`];
  for (const { name, sides, type = "float32" } of carried) {
    const shape = hostSides(view, sides);
    if (isNot(shape)) return shape;
    const sizes = [...extents, names.parts, ...(shape as readonly string[])].join(", ");
    const memory = known(names.memory.get(name), name);
    lines.push(`${memory} = torch.empty((${sizes}), device=${tensor.text}.device, dtype=torch.${type})`);
  }
  return lines;
}

/** As many parts as fill the GPU, with a few turns for each where the host knows how many there are. */
function countText(
  view: TritonView,
  { most, multiprocessors, turns }: InParts,
  { extents, head }: Omit<Host, "names">,
): string {
  const block = head.block === "1" ? "1" : launchValue(view, head.block)?.text;
  const end = launchValue(view, head.end)?.text;
  const each = block === undefined || /^\w+$/.test(block) ? block : `(${collapse(block)})`;
  const limit =
    end === undefined || each === undefined ? [] : [`triton.cdiv(${collapse(end)}, ${turns} * ${each})`];
  return partsText(extents, most, multiprocessorsText(view, multiprocessors), limit);
}

/** The sides of a block in the words of the function that launches. */
function hostSides(view: TritonView, sides: readonly string[]): readonly string[] | RuleHold {
  const found: string[] = [];
  for (const side of sides) {
    const value = /^\d+$/.test(side) ? side : launchValue(view, side)?.text;
    if (value === undefined) return not("launch", `the launch passes nothing for ${side}`, view.launch.call);
    found.push(collapse(value));
  }
  return found;
}
