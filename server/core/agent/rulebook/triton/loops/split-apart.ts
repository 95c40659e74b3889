import { collapse, isInside, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { editedText, freshName, indentOf, replaceNode, type TextEdit } from "../../edits";
import { isNot, not, type RuleHold } from "../../rule";
import { languageCalls, maskOf, onlyAssignment, positional, type TritonView } from "../kernel";
import { libraryOf, statementAround } from "../spread/dimension";
import { extentsOfGrid } from "../spread/programs";
import { madeTensor } from "./zeroed-tensor";

/** A loop whose turns are dealt out, and what it adds up. */
interface Apart {
  readonly loop: SyntaxNode;
  readonly sums: readonly string[];
  /** Edits of the loop that deal its turns out. */
  readonly dealt: readonly TextEdit[];
  /** The grid with the parts as its last extent. */
  readonly grid: string;
  readonly dependsOnSums: (node: SyntaxNode) => boolean;
}

/**
 * The edits that make two kernels of one: the first adds its parts of the sums to memory of their own, the
 * second does what stood behind the loop. It may be anything, and of any type.
 */
export function apartEdits(view: TritonView, apart: Apart): readonly TextEdit[] | RuleHold {
  return reducedIn(view, apart) ?? twoKernels(view, apart);
}

function twoKernels(view: TritonView, apart: Apart): readonly TextEdit[] | RuleHold {
  const { loop, sums } = apart;
  const [store, ...more] = languageCalls(view, ["store"]);
  const [address] = store === undefined ? [] : positional(store);
  if (store === undefined || address === undefined || more.length > 0 || store.startIndex < loop.endIndex)
    return not("no-rewrite", "the kernel does not store once behind its loop", store ?? view.line);
  const statement = store.parent;
  if (statement?.parent?.id !== view.body.id)
    return not("no-rewrite", "a condition decides whether the sums are stored", store);
  const tensor = madeTensor(view, address);
  if (isNot(tensor)) return tensor;
  const parameter = view.parameters.find(({ name, pointer }) => pointer && usesOf(address, name).length > 0);
  const direct = parameter !== undefined && usesOf(address, parameter.name).length === 1;
  if (!direct) return not("no-rewrite", "the address of the result is made in front of the store", store);
  const names = sums.map((name) => freshName(view.source, `${name}_sums`));
  const pointer = parameter.name;
  const launches = launchEdits(view, apart, { names, output: tensor.passed.text });
  if (isNot(launches)) return launches;
  const kernels = kernelEdits(view, apart, { names, pointer, store, address });
  return isNot(kernels) ? kernels : [...kernels, ...launches];
}

/** A sum that is put into another shape: memory for it is not laid out as the result is. */
function reducedIn(view: TritonView, { loop, sums }: Apart): RuleHold | undefined {
  const reduced = languageCalls(view, ["sum", "reshape"]).find(
    (call) => call.startIndex > loop.endIndex && sums.some((name) => usesOf(call, name).length > 0),
  );
  return reduced && not("no-rewrite", "the result has another shape than the sums", reduced);
}

interface Stored {
  /** The memory of each sum. */
  readonly names: readonly string[];
  /** The parameter that the result is stored by. */
  readonly pointer: string;
  readonly store: SyntaxNode;
  readonly address: SyntaxNode;
}

/** The kernel without what follows its loop, and behind it a kernel without the loop. */
function kernelEdits(
  view: TritonView,
  apart: Apart,
  { names, pointer, store, address }: Stored,
): readonly TextEdit[] | RuleHold {
  const { source, definition, body } = view;
  const { loop, sums, dealt } = apart;
  const decorated = definition.parent?.type === "decorated_definition" ? definition.parent : definition;
  const parameters = definition.childForFieldName("parameters");
  const [first] = partsOf(parameters);
  const title = definition.childForFieldName("name");
  if (first === undefined || title === null) return not("unreadable", "the kernel has no parameters", 1);
  const library = libraryOf(view);
  const mask = maskOf(view, store);
  const masked = mask === undefined ? "" : `, mask=${collapse(mask.text)}`;
  const other = mask === undefined ? "" : ", other=0.0";
  const placeOf = (name: string): string =>
    collapse(address.text).replace(new RegExp(`\\b${pointer}\\b`), name);
  const given: TextEdit = { start: first.startIndex, end: first.startIndex, text: `${names.join(", ")}, ` };
  const all = partsOf(body);
  const behind = all.filter(({ startIndex }) => startIndex > loop.endIndex);
  const dropped = behind.filter((each) => !isInside(store, each) && !isPlace(view, each, apart));
  const needed = [address, ...(mask === undefined ? [] : [mask])];
  if (
    dropped.some((each) => needed.some((part) => namesGiven(each).some((name) => usesOf(part, name).length)))
  )
    return not("no-rewrite", "the sums decide where they are stored", store);
  const indent = `\n${indentOf(source, loop)}`;
  const added = names.map((name, at) => `${library}atomic_add(${placeOf(name)}, ${sums[at]}${masked})`);
  const loaded = names.map((name, at) => `${sums[at]} = ${library}load(${placeOf(name)}${masked}${other})`);
  const statement = store.parent ?? store;
  // What the place of the result needs stands in front of where the loop was.
  const places = behind.filter((each) => isPlace(view, each, apart));
  const rest = editedText(source, { start: decorated.startIndex, end: decorated.endIndex }, [
    replaceNode(title, freshName(source, `${title.text}_rest`)),
    given,
    replaceNode(loop, [...places.map(({ text }) => text), ...loaded].join(indent)),
    ...places.map((each) => withoutLine(source, each)),
  ]);
  return [
    given,
    ...dealt,
    ...dropped.map((each) => withoutLine(source, each)),
    replaceNode(statement, added.join(indent)),
    { start: decorated.endIndex, end: decorated.endIndex, text: `\n\n\n${rest}` },
    ...resetEdits(view, names),
  ];
}

/** Takes a statement out with the line break in front of it. */
function withoutLine(source: string, { startIndex, endIndex }: SyntaxNode): TextEdit {
  return { start: source.lastIndexOf("\n", startIndex), end: endIndex, text: "" };
}

/** An assignment behind the loop that neither the sums nor memory decide. */
function isPlace(view: TritonView, statement: SyntaxNode, { dependsOnSums }: Apart): boolean {
  const [act] = partsOf(statement);
  return (
    statement.type === "expression_statement" &&
    act?.type === "assignment" &&
    !dependsOnSums(statement) &&
    !namesGiven(statement).some((name) =>
      usesOf(view.body, name).some((use) => use.startIndex < act.startIndex),
    ) &&
    languageCalls(view, ["load"], statement).length === 0
  );
}

function namesGiven(statement: SyntaxNode): readonly string[] {
  return statement
    .descendantsOfType(["assignment", "augmented_assignment"])
    .flatMap((act) => act.childForFieldName("left")?.descendantsOfType("identifier") ?? [])
    .map(({ text }) => text);
}

/** An autotuner that runs the kernel several times begins each run at 0. */
function resetEdits({ tuned, list }: TritonView, names: readonly string[]): readonly TextEdit[] {
  const call = tuned ? list?.parent : undefined;
  const around = call?.type === "keyword_argument" ? call.parent : call;
  const last = partsOf(around).at(-1);
  const text = `, reset_to_zero=[${names.map((name) => `"${name}"`).join(", ")}]`;
  return last === undefined ? [] : [{ start: last.endIndex, end: last.endIndex, text }];
}

interface Memory {
  readonly names: readonly string[];
  /** The result, in the host's words. */
  readonly output: string;
}

/** A launch that is a statement of its own. */
interface LoneLaunch {
  readonly statement: SyntaxNode;
  /** The kernel's name in it. */
  readonly name: SyntaxNode;
  readonly first: SyntaxNode;
  readonly grid: SyntaxNode;
  /** What the host's name of the grid stands for, where it has one. */
  readonly gridValue: SyntaxNode | undefined;
}

function loneLaunch({ launch: { call, grid }, host }: TritonView): LoneLaunch | RuleHold {
  const statement = statementAround(call);
  const [first] = partsOf(call.childForFieldName("arguments"));
  const name = call.childForFieldName("function")?.childForFieldName("value");
  const lone = statement?.type === "expression_statement" && partsOf(statement)[0]?.id === call.id;
  if (!lone || first === undefined || grid === undefined || name?.type !== "identifier")
    return not("launch", "the launch is part of something else", call);
  const gridValue =
    grid.type === "identifier" ? onlyAssignment(host, grid.text)?.childForFieldName("right") : undefined;
  return { statement, name, first, grid, gridValue: gridValue ?? undefined };
}

/** Memory for the sums, the launch of the parts, and that of the rest. */
function launchEdits(
  view: TritonView,
  apart: Apart,
  { names, output }: Memory,
): readonly TextEdit[] | RuleHold {
  const { source, launch } = view;
  const lone = loneLaunch(view);
  const grid = extentsOfGrid(view);
  if (isNot(grid)) return grid;
  if (isNot(lone)) return lone;
  const { statement, name, first } = lone;
  const passed: TextEdit = { start: first.startIndex, end: first.startIndex, text: `${names.join(", ")}, ` };
  const indent = `\n${indentOf(source, statement)}`;
  const zeros = names.map(
    (each) => `${each} = torch.zeros(${output}.numel(), device=${output}.device, dtype=torch.float32)`,
  );
  const span = { start: launch.call.startIndex, end: launch.call.endIndex };
  const rest = editedText(source, span, [
    replaceNode(name, freshName(source, `${name.text}_rest`)),
    ...(lone.gridValue === undefined ? [] : [replaceNode(lone.grid, lone.gridValue.text)]),
    passed,
  ]);
  return [
    { start: statement.startIndex, end: statement.startIndex, text: `${zeros.join(indent)}${indent}` },
    passed,
    replaceNode(grid.tuple, apart.grid),
    { start: statement.endIndex, end: statement.endIndex, text: `${indent}${rest}` },
  ];
}
