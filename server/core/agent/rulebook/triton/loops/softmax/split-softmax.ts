import { known } from "../../../../../base/known";
import { collapse, compact, lineOf, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import {
  editedText,
  editedTree,
  freshName,
  indentOf,
  insertBefore,
  replaceNode,
  type TextEdit,
} from "../../../edits";
import { evidenceFor, targetGpu } from "../../../evidence";
import { isNot, not, type RuleHold } from "../../../rule";
import { defineRule, threshold } from "../../../rule-table";
import { launchValue, tritonKernel, type TritonView } from "../../kernel";
import { multiprocessorsText } from "../../multiprocessors";
import { headOf, type Head } from "../../passes/walks";
import { libraryOf, statementAround } from "../../spread/dimension";
import { constexprOf, extentsOfGrid, parameterEdit } from "../../spread/programs";
import { headEdits, partsText, programsOf, stepEdits } from "../dealt-turns";
import { type Carried, runningSoftmax, type RunningSoftmax } from "./running-softmax";

/**
 * A few programs that each go over a long row of scores with their greatest one and sums of exponentials: the
 * turns are dealt out to several programs, and a second kernel puts their parts together.
 */
export const splitSoftmax = defineRule("triton-split-softmax", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const programs = programsOf(input);
  const most = targetGpu(input).multiprocessors;
  if (programs === undefined || programs >= most)
    return not("no-evidence", "every multiprocessor has a program", view.launch.call);
  const loops = partsOf(view.body).filter(({ type }) => /^(?:for|while)_statement$/.test(type));
  const [loop, ...others] = loops;
  if (loop === undefined || others.length > 0)
    return not("no-pattern", "the kernel has no single loop over scores", loop ?? view.line);
  const softmax = runningSoftmax(view, loop);
  if (isNot(softmax)) return softmax;
  const gain = 1 - programs / most;
  const limits = { most: threshold(entry, "partsMost"), multiprocessors: most };
  const edits = splitEdits(view, { loop, softmax, ...limits });
  const facts = { file: input.file, line: lineOf(view.launch.call), counter: "instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value: programs, ideal: most });
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: entry.hypothesis,
    evidence,
    gain,
  };
});

interface Split {
  readonly loop: SyntaxNode;
  readonly softmax: RunningSoftmax;
  /** Parts of a loop, at most. */
  readonly most: number;
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

function splitEdits(view: TritonView, split: Split): readonly TextEdit[] | RuleHold {
  const { loop, softmax } = split;
  const head = headOf(view, loop);
  if (head === undefined) return not("no-rewrite", "the loop does not go from 0 in steps of a block", loop);
  const held = heldBack(view, split);
  if (held !== undefined) return held;
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  const axis = grid.extents.length;
  if (axis > 2) return not("limit", "the grid has three dimensions already", view.launch.call);
  if (grid.chosen.length > 0) return not("launch", "the grid is chosen by a function", view.launch.call);
  const { source } = view;
  const carried = [softmax.greatest, ...softmax.sums];
  const memory = new Map(carried.map(({ name }) => [name, freshName(source, `${name}_parts`)]));
  const names = { axis, memory, parts: freshName(source, "parts") };
  const extents = grid.extents.map(({ text }) => collapse(text));
  const host = hostEdits(view, split, { names, extents });
  if (isNot(host)) return host;
  const parameters = parameterEdit(view, [...memory.values()].join(", "));
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
function heldBack(view: TritonView, { loop, softmax }: Split): RuleHold | undefined {
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
  const kept = new Set([softmax.greatest.name, ...softmax.sums.map(({ name }) => name)]);
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
  const [first, second] = sides;
  const factor = /^\w+$/.test(part) ? part : `(${part})`;
  if (first === undefined) return `${memory} + ${part}`;
  if (second === undefined) return `${memory} + ${factor} * ${first} + ${span(first)}`;
  const row = `${factor} * ${first} + ${span(first)}[:, None]`;
  return `${memory} + (${row}) * ${second} + ${span(second)}[None, :]`;
}

/** The first kernel: every so many turns, and its part in place of what stands behind the loop. */
function partEdits(
  view: TritonView,
  { loop, softmax }: Split,
  { head, names }: { readonly head: Head; readonly names: Names },
): readonly TextEdit[] {
  const { source } = view;
  const library = libraryOf(view);
  const { axis, memory } = names;
  const part = freshName(source, "part");
  const indent = indentOf(source, loop);
  const before = `${numberText(library, axis)} * ${library}num_programs(${axis})`;
  const own = `${before} + ${library}program_id(${axis})`;
  const stores = [softmax.greatest, ...softmax.sums].map(({ name, sides }) => {
    const place = placeText(library, known(memory.get(name), name), { part, sides });
    return `${library}store(${place}, ${name})`;
  });
  const end = partsOf(view.body).at(-1)?.endIndex ?? loop.endIndex;
  const text = [`${part} = ${own}`, ...stores].map((line) => `\n${indent}${line}`).join("");
  return [
    ...headEdits(view, head, axis),
    ...softmax.steps.flatMap((step) => stepEdits(view, { loop, step, axis })),
    { start: loop.endIndex, end, text },
  ];
}

/** The second kernel: the first as it was, with the parts in place of the turns. */
function secondKernel(view: TritonView, { loop, softmax }: Split, names: Names): TextEdit | RuleHold {
  const { source, definition } = view;
  const decorated = definition.parent?.type === "decorated_definition" ? definition.parent : undefined;
  const name = definition.childForFieldName("name");
  if (decorated === undefined || name === null)
    return not("unreadable", "the kernel has no decorator", definition);
  const parts = names.parts.toUpperCase();
  const parameters = parameterEdit(
    view,
    [...names.memory.values(), `${parts}: ${constexprOf(view)}`].join(", "),
  );
  if (isNot(parameters)) return parameters;
  const edits = [
    replaceNode(name, secondName(view)),
    parameters,
    replaceNode(loop, togetherText(view, { loop, softmax }, { names, parts })),
  ];
  const range = { start: decorated.startIndex, end: decorated.endIndex };
  return { start: range.end, end: range.end, text: `\n\n\n${editedText(source, range, edits)}` };
}

function secondName({ source, definition }: TritonView): string {
  return freshName(source, `${definition.childForFieldName("name")?.text ?? "kernel"}_together`);
}

function togetherText(
  view: TritonView,
  { loop, softmax }: Pick<Split, "loop" | "softmax">,
  { names, parts }: { readonly names: Names; readonly parts: string },
): string {
  const { source } = view;
  const library = libraryOf(view);
  const { greatest, sums, exponential } = softmax;
  const fresh = (wanted: string): string => freshName(source, wanted);
  const [turn, begin, other, both, kept, taken] = [
    "part",
    "begin",
    `${greatest.name}_part`,
    `${greatest.name}_both`,
    "kept",
    "taken",
  ].map(fresh);
  const part = `${begin} + ${turn}`;
  const load = ({ name, sides }: Carried): string =>
    `${library}load(${placeText(library, known(names.memory.get(name), name), { part, sides })})`;
  const weight = (of: string | undefined): string =>
    `${library}where(${of} == ${both}, 1.0, ${exponential}(${of} - ${both}))`;
  const lines = [
    `${begin} = ${numberText(library, names.axis)} * ${parts}`,
    `for ${turn} in ${library}static_range(${parts}):`,
    `    ${other} = ${load(greatest)}`,
    `    ${both} = ${library}maximum(${greatest.name}, ${other})`,
    `    ${kept} = ${weight(greatest.name)}`,
    `    ${taken} = ${weight(other)}`,
    ...sums.map((sum) => {
      const { name, laid } = sum;
      return `    ${name} = ${name} * ${kept}${laid} + ${load(sum)} * ${taken}${laid}`;
    }),
    `    ${greatest.name} = ${both}`,
  ];
  return lines.join(`\n${indentOf(source, loop)}`);
}

/** Memory for the parts in front of the launch, and the second launch behind it. */
function hostEdits(
  view: TritonView,
  split: Split,
  host: { readonly names: Names; readonly extents: readonly string[] },
): readonly TextEdit[] | RuleHold {
  const { launch, source } = view;
  const { names } = host;
  const statement = statementAround(launch.call);
  const given = launch.call.childForFieldName("arguments");
  const last = partsOf(given).at(-1);
  const plain = statement?.type === "expression_statement" && /^import torch\s*$/m.test(source);
  if (!plain || !given || last === undefined)
    return not("launch", "the launch is part of something else", launch.call);
  const memory = memoryLines(view, split, host);
  if (isNot(memory)) return memory;
  const indent = indentOf(source, statement);
  const lines = (memory as readonly string[]).map((line) => `${line}\n${indent}`);
  const more = [...names.memory.values()].map((each) => `${each}=${each}`);
  const separator = given.text.includes("\n") ? `,\n${indent}    ` : ", ";
  const behind = [...more, `${names.parts.toUpperCase()}=${names.parts}`].join(separator);
  const first = given.text.replace(/,?\s*\)$/, "");
  const second = `${secondName(view)}[${launch.grid?.text ?? ""}]${first}${separator}${behind})`;
  return [
    insertBefore(statement, lines.join("")),
    { start: last.endIndex, end: last.endIndex, text: separator + more.join(separator) },
    { start: statement.endIndex, end: statement.endIndex, text: `\n${indent}${second}` },
  ];
}

/** How many parts there are, and memory for each of them. */
function memoryLines(
  view: TritonView,
  { softmax, most, multiprocessors }: Split,
  { names, extents }: { readonly names: Names; readonly extents: readonly string[] },
): readonly string[] | RuleHold {
  const tensor = view.parameters
    .map(({ name, pointer }) => (pointer ? launchValue(view, name) : undefined))
    .find((value) => value?.type === "identifier");
  if (tensor === undefined) return not("launch", "no tensor is passed by its name", view.launch.call);
  const lines = [`${names.parts} = ${partsText(extents, most, multiprocessorsText(view, multiprocessors))}`];
  for (const { name, sides } of [softmax.greatest, ...softmax.sums]) {
    const shape = hostSides(view, sides);
    if (isNot(shape)) return shape;
    const sizes = [...extents, names.parts, ...(shape as readonly string[])].join(", ");
    const memory = known(names.memory.get(name), name);
    lines.push(`${memory} = torch.empty((${sizes}), device=${tensor.text}.device, dtype=torch.float32)`);
  }
  return lines;
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
