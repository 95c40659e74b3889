import { isStrideName } from "../../workload/probe/range-names";
import type { DataType } from "../../workload/spec";
import type { KernelFacts, ParameterFacts } from "../facts";
import type { SourceFile } from "../source-file";
import { fieldText, namesIn } from "../query";
import type { SyntaxNode } from "../tree";
import { tritonAccesses } from "./accesses";
import { tritonKernels, type TritonKernel } from "./kernels";

/** What a kernel's own text says of a parameter, as far as a launch without any caller needs it. */
export type TritonLaunchParameter =
  | { readonly kind: "pointer"; readonly name: string; readonly dtype: DataType; readonly isConst: boolean }
  /**
   * `stride`: an index is multiplied with it; the innermost one is 1 where rows are contiguous. `isWithin`:
   * one block goes through all of it, or it leads from program to program: it does not say how many
   * blocks there are.
   */
  | {
      readonly kind: "whole";
      readonly name: string;
      readonly stride?: "outer" | "inner";
      readonly isWithin: boolean;
    }
  | { readonly kind: "float"; readonly name: string }
  | TritonConstant;

/** A `tl.constexpr` parameter. */
export interface TritonConstant {
  readonly kind: "constant";
  readonly name: string;
  /** As a launch writes it; absent where the parameter's default is used. */
  readonly text?: string;
  /** An autotuner chooses it: a launch does not name it, and this is the value of the first configuration. */
  readonly isTuned?: true;
  /** Elements of a block along one axis. */
  readonly span?: number;
  /** Programs share an axis by it: what stands for a program is multiplied with it, or a helper gets it. */
  readonly isOfGrid?: boolean;
  /** The size that a block has to cover alone: the constant is the next power of two. */
  readonly covers?: string;
}

/** Elements along an axis, where one axis is split into blocks, and where several are. */
const [lineBlock, tileBlock] = [256, 16];
/** A block that covers a size alone: no probe has a larger one. */
const coveringBlock = 2048;

const indexNames = /(^|_)(idx|index|indices|ids|labels?|targets?|positions?|slots?|tokens?)($|_)/i;
const offsetNames = /(^|_)(offsets|indptr|cu_?seqlens\w*|crow\w*|row_?ptrs?|lens|lengths|seqlens?)($|_)/i;
const flagNames = /^(is|use|has|return|do|causal|inplace)(_|$)/i;

/** What the text says of each parameter; undefined when there is no such kernel, or it does not parse. */
export function tritonLaunchFacts(
  source: SourceFile,
  kernel: string,
): readonly TritonLaunchParameter[] | undefined {
  const { root } = source.tree;
  const found = tritonKernels(root).find(({ facts }) => facts.name === kernel);
  if (found === undefined || found.facts.damaged) return undefined;
  const text = readText(root, found);
  return found.facts.parameters
    .filter(({ name }) => !Object.hasOwn(found.facts.heuristics, name))
    .map((parameter) => factOf(parameter, found.facts, text));
}

/** What is known of the names of a kernel's body. */
interface KernelText {
  readonly body: SyntaxNode;
  readonly definitions: ReadonlyMap<string, string>;
  /** Names that are multiplied with an index, compared with one, or bound a loop. */
  readonly whole: ReadonlySet<string>;
  readonly strides: ReadonlyMap<string, "outer" | "inner">;
  /** Names that the number of a program is multiplied with, or that are handed to other functions. */
  readonly led: ReadonlySet<string>;
  /** Names that bound the loops of a block. */
  readonly looped: ReadonlySet<string>;
  /** Pointers whose values are indices of others, or bounds of a loop. */
  readonly leading: ReadonlySet<string>;
  /** Block constants, with the size that one covers alone. */
  readonly blocks: ReadonlyMap<string, string | undefined>;
}

function readText(root: SyntaxNode, { facts, body }: TritonKernel): KernelText {
  const { accesses, definitions } = tritonAccesses(root, facts);
  const blocks = blocksOf(body, definitions, facts.parameters);
  const strided = [
    ...[...accesses.map(({ index }) => index), ...movesOf(body, facts)].map((index) =>
      stridesIn(index, facts),
    ),
    ...blockPointersIn(body).map(({ strides }) => stridesAmong(strides, facts)),
  ];
  const outer = strided.flatMap((names) => names.slice(0, Math.max(1, names.length - 1)));
  const inner = strided.flatMap((names) => names.slice(Math.max(1, names.length - 1)));
  return {
    body,
    definitions,
    whole: wholeNames(body, definitions),
    looped: new Set(
      body
        .descendantsOfType("for_statement")
        .flatMap((loop) => namesIn(fieldText(loop, "right").replace(/^[\w.]+\(/, ""))),
    ),
    strides: new Map([
      ...outer.map((name) => [name, "outer"] as const),
      ...inner.map((name) => [name, "inner"] as const),
    ]),
    leading: leadingPointers(body, facts),
    led: new Set(ledOver(body, definitions)),
    blocks,
  };
}

function factOf(parameter: ParameterFacts, kernel: KernelFacts, text: KernelText): TritonLaunchParameter {
  const { name, pointer, readOnly, constexpr, type } = parameter;
  const tuned = kernel.autotune[0]?.values[name];
  if (tuned !== undefined) return tunedConstant(name, tuned, text);
  if (constexpr) return constantOf(parameter, text);
  if (pointer) return { kind: "pointer", name, dtype: elementOf(name, text), isConst: readOnly };
  const isFloat = type === "float" || (type !== "int" && !text.whole.has(name));
  if (isFloat) return { kind: "float", name };
  const stride = text.strides.get(name);
  const isCovered = [...text.blocks.values()].includes(name) || text.looped.has(name);
  // Of `rows * n_cols + column` programs may be the columns, if they are not the rows.
  const leadsOver = stride !== undefined && (isStrideName(name) || text.led.has(name));
  return { kind: "whole", name, ...(stride && { stride }), isWithin: isCovered || leadsOver };
}

function elementOf(name: string, { leading }: KernelText): DataType {
  if (offsetNames.test(name)) return "int32";
  if (leading.has(name) || indexNames.test(name)) return "int64";
  return /mask/i.test(name) ? "bool" : "float32";
}

function constantOf(
  { name, defaultValue }: ParameterFacts,
  { blocks, body, led }: KernelText,
): TritonConstant {
  const constant = { kind: "constant" as const, name };
  const isOfGrid = led.has(name);
  const covers = blocks.get(name);
  if (covers !== undefined) return { ...constant, text: String(coveringBlock), covers };
  if (defaultValue !== undefined) {
    const span = blocks.has(name) ? Number(defaultValue) : Number.NaN;
    return { ...constant, ...(Number.isInteger(span) && { span, isOfGrid }) };
  }
  if (blocks.has(name)) {
    const split = [...blocks.values()].filter((size) => size === undefined);
    const span = split.length > 1 ? tileBlock : lineBlock;
    return { ...constant, text: String(span), span, isOfGrid };
  }
  const word = comparedText(body, name);
  if (word !== undefined) return { ...constant, text: word };
  return { ...constant, text: flagNames.test(name) || isFlag(body, name) ? "False" : "4" };
}

function tunedConstant(name: string, value: string, { blocks, led }: KernelText): TritonConstant {
  const span = blocks.has(name) ? Number(value) : Number.NaN;
  return {
    ...{ kind: "constant", name, text: value, isTuned: true },
    ...(Number.isInteger(span) && { span, isOfGrid: led.has(name) }),
  };
}

/** Names that the kernel's own comparisons let an index be equal to: `offsets <= n`. */
export function inclusiveBounds(source: SourceFile, kernel: string): ReadonlySet<string> {
  const found = tritonKernels(source.tree.root).find(({ facts }) => facts.name === kernel);
  const names = (found?.body.descendantsOfType("comparison_operator") ?? []).flatMap(({ text }) => [
    /<=\s*(\w+)$/.exec(text)?.[1],
    /^(\w+)\s*>=/.exec(text)?.[1],
  ]);
  return new Set(names.filter((name) => name !== undefined));
}

/** The text that a constant is compared with: `ACTIVATION == "relu"`. */
function comparedText(body: SyntaxNode, name: string): string | undefined {
  for (const comparison of body.descendantsOfType("comparison_operator")) {
    const [left, right] = comparison.namedChildren;
    if (left?.text === name && right?.type === "string") return right.text;
  }
  return undefined;
}

function isFlag(body: SyntaxNode, name: string): boolean {
  return body
    .descendantsOfType(["if_statement", "elif_clause", "conditional_expression", "not_operator"])
    .some((node) => {
      const condition =
        node.childForFieldName("condition") ?? node.childForFieldName("argument") ?? node.namedChildren[1];
      return condition?.text === name;
    });
}

/** Constants that say how much a block does, with the size that one covers alone. */
function blocksOf(
  body: SyntaxNode,
  definitions: ReadonlyMap<string, string>,
  parameters: readonly ParameterFacts[],
): ReadonlyMap<string, string | undefined> {
  const isConstant = (name: string): boolean =>
    parameters.some((each) => each.constexpr && each.name === name);
  const named = [...lengthsIn(body), ...shares(body, definitions)].filter(isConstant);
  const blocks = new Map<string, string | undefined>(named.map((name) => [name, undefined]));
  for (const comparison of body.descendantsOfType("comparison_operator")) {
    const [left, right] = comparison.namedChildren;
    if (left === undefined || right?.type !== "identifier" || !comparison.text.includes("<")) continue;
    const name = left.text.replace(/\[[^\]]*\]$/, "");
    const index = definitions.get(name) ?? name;
    const block = /^\w+(?:\.\w+)*\.arange\(0, ?(\w+)\)$/.exec(index)?.[1];
    // A local may be what is left in a turn of a loop, which no block covers alone.
    const isSize = parameters.some((each) => each.name === right.text);
    if (isSize && block !== undefined && blocks.has(block)) blocks.set(block, right.text);
  }
  return blocks;
}

/** Names that are the length of a `tl.arange`, or along an axis of a block of a block pointer. */
function lengthsIn(body: SyntaxNode): readonly string[] {
  const ranges = body.descendantsOfType("call").flatMap((call): readonly string[] => {
    if (!/\.arange$/.test(fieldText(call, "function"))) return [];
    const end = call.childForFieldName("arguments")?.namedChildren.at(-1);
    return end?.type === "identifier" ? [end.text] : [];
  });
  return [...ranges, ...blockPointersIn(body).flatMap(({ block }) => namesIn(block))];
}

/** Strides and block of each `tl.make_block_ptr` and each tensor descriptor, as they are written. */
function blockPointersIn(body: SyntaxNode): readonly { readonly strides: string; readonly block: string }[] {
  return body.descendantsOfType("call").flatMap((call) => {
    const isBlock = /\.(make_block_ptr|make_tensor_descriptor)$/.exec(fieldText(call, "function"));
    if (isBlock === null) return [];
    const given = call.childForFieldName("arguments")?.namedChildren ?? [];
    const called = (name: string, place: number): string =>
      given.find((each) => fieldText(each, "name") === name)?.childForFieldName("value")?.text ??
      (given[place]?.type === "keyword_argument" ? "" : (given[place]?.text ?? ""));
    const place = isBlock[1] === "make_block_ptr" ? 4 : 3;
    return [{ strides: called("strides", 2), block: called("block_shape", place) }];
  });
}

/** What pointers are moved by: `row_ptr += row * stride`, `at = base + row * stride`, again and again. */
function movesOf(body: SyntaxNode, { parameters }: KernelFacts): readonly string[] {
  const pointers = parameters.filter(({ pointer }) => pointer).map(({ name }) => name);
  const isPointer = (name: string): boolean => pointers.includes(name);
  return body.descendantsOfType(["augmented_assignment", "assignment"]).flatMap((move) => {
    const [left, right] = [fieldText(move, "left"), fieldText(move, "right")];
    const isMove = move.type === "assignment" ? namesIn(right).some(isPointer) : isPointer(left);
    return isMove ? [right] : [];
  });
}

/** Names that the number of a program is multiplied with: `tl.program_id(0) * CHUNK`. */
function shares(body: SyntaxNode, definitions: ReadonlyMap<string, string>): readonly string[] {
  const isProgram = (text: string): boolean => /\bprogram_id\(/.test(definitions.get(text) ?? text);
  return body.descendantsOfType("binary_operator").flatMap((product): readonly string[] => {
    if (fieldText(product, "operator") !== "*") return [];
    const [left, right] = product.namedChildren;
    if (left === undefined || right === undefined) return [];
    if (right.type === "identifier" && isProgram(left.text)) return [right.text];
    return left.type === "identifier" && isProgram(right.text) ? [left.text] : [];
  });
}

/**
 * Names that what is made of the number of a program is multiplied with, in loops over such numbers, too, and
 * names that helpers get: what these do with them is not looked at.
 */
function ledOver(body: SyntaxNode, definitions: ReadonlyMap<string, string>): readonly string[] {
  const isProgram = programsIn(body, definitions);
  const products = body.descendantsOfType("binary_operator").flatMap((product): readonly string[] => {
    if (fieldText(product, "operator") !== "*") return [];
    const [left, right] = [fieldText(product, "left"), fieldText(product, "right")];
    return [...(isProgram(left) ? namesIn(right) : []), ...(isProgram(right) ? namesIn(left) : [])];
  });
  const handed = body.descendantsOfType("call").flatMap((call): readonly string[] => {
    const own = !/\.|^(?:range|min|max|abs|float|int)$/.test(fieldText(call, "function"));
    const isPlace = /\.(?:make_block_ptr|advance)$/.test(fieldText(call, "function"));
    return own || isPlace ? namesIn(fieldText(call, "arguments")) : [];
  });
  return [...products, ...handed];
}

/** Whether a text is made of the number of a program, by whatever names. */
function programsIn(body: SyntaxNode, definitions: ReadonlyMap<string, string>): (text: string) => boolean {
  const loops = body
    .descendantsOfType("for_statement")
    .map((loop) => [fieldText(loop, "left"), fieldText(loop, "right")] as const);
  const several = body.descendantsOfType("assignment").flatMap((each) => {
    const [left, right] = [fieldText(each, "left"), fieldText(each, "right")];
    return /^\w+$/.test(left) ? [] : namesIn(left).map((name) => [name, right] as const);
  });
  const made = new Map([...several, ...definitions, ...loops]);
  const isProgram = (text: string, seen: ReadonlySet<string>): boolean =>
    /\bprogram_id\(/.test(text) ||
    namesIn(text).some(
      (name) => !seen.has(name) && isProgram(made.get(name) ?? "", new Set([...seen, name])),
    );
  return (text) => isProgram(text, new Set());
}

/** Parameters that an index is multiplied with, in the order of the parameters, where each term has one. */
function stridesIn(index: string, { parameters }: KernelFacts): readonly string[] {
  const scalars = parameters.filter(({ pointer, constexpr }) => !pointer && !constexpr);
  return scalars.flatMap(({ name }) =>
    new RegExp(String.raw`(?:\* ?${name}\b|\b${name} ?\*)`).test(index) ? [name] : [],
  );
}

/** Parameters among the strides of a block pointer, outermost first. */
function stridesAmong(strides: string, { parameters }: KernelFacts): readonly string[] {
  const scalars = new Set(
    parameters.filter(({ pointer, constexpr }) => !pointer && !constexpr).map(({ name }) => name),
  );
  return namesIn(strides).filter((name) => scalars.has(name));
}

/**
 * Names that stand for whole numbers: bounds of loops, what an index is compared with, and what is multiplied
 * with, divided by or added to an index. An index is what is made from `tl.program_id` and `tl.arange`
 * without a load.
 */
function wholeNames(body: SyntaxNode, definitions: ReadonlyMap<string, string>): ReadonlySet<string> {
  const indices = new Set(loopVariables(body));
  for (let before = -1; before !== indices.size;) {
    before = indices.size;
    for (const [name, text] of definitions) if (isIndex(text, indices)) indices.add(name);
  }
  return new Set(
    body
      .descendantsOfType(["comparison_operator", "binary_operator", "call"])
      .flatMap((node) => (node.type === "call" ? boundsIn(node) : indexNamesIn(node, indices))),
  );
}

function indexNamesIn({ text }: SyntaxNode, indices: ReadonlySet<string>): readonly string[] {
  return isIndex(text, indices) ? namesIn(text) : [];
}

/** Names in a call that takes whole numbers: bounds of a loop, or the seed of random numbers. */
function boundsIn(call: SyntaxNode): readonly string[] {
  const callee = fieldText(call, "function");
  const given = call.childForFieldName("arguments");
  if (/(^|\.)(range|cdiv|static_range|make_block_ptr)$/.test(callee)) return namesIn(given?.text ?? "");
  return /\.rand\w*$/.test(callee) ? namesIn(given?.namedChildren[0]?.text ?? "") : [];
}

function loopVariables(body: SyntaxNode): readonly string[] {
  return body.descendantsOfType("for_statement").flatMap((loop) => namesIn(fieldText(loop, "left")));
}

const madeOfNumbers = /\b(?:program_id|num_programs|arange)\(/;
const madeOfValues = /\b(?:load|rand\w*|dot|sum|max|min|zeros|full|exp|sqrt|atomic_\w+)\(/;

function isIndex(text: string, indices: ReadonlySet<string>): boolean {
  if (madeOfValues.test(text)) return false;
  return madeOfNumbers.test(text) || namesIn(text).some((name) => indices.has(name));
}

/** Pointers of which a loaded value is part of another address or bounds a loop. */
function leadingPointers(body: SyntaxNode, { parameters }: KernelFacts): ReadonlySet<string> {
  const leading = new Set<string>();
  const places = placesOf(body);
  for (const assignment of body.descendantsOfType("assignment")) {
    const value = fieldText(assignment, "left");
    const loaded = /^\w+(?:\.\w+)*\.load\((.*)$/s.exec(fieldText(assignment, "right"))?.[1];
    if (loaded === undefined || !places.has(value)) continue;
    const pointer = parameters.find(
      (each) => each.pointer && new RegExp(String.raw`\b${each.name}\b`).test(loaded),
    );
    if (pointer !== undefined) leading.add(pointer.name);
  }
  return leading;
}

/** Names that addresses and bounds of loops are made of, also through other names. */
function placesOf(body: SyntaxNode): ReadonlySet<string> {
  const made = new Map<string, string>();
  for (const assignment of body.descendantsOfType(["assignment", "augmented_assignment"])) {
    const name = fieldText(assignment, "left");
    const right = fieldText(assignment, "right");
    // What a load gave ends the way: its address is a place of its own.
    if (!madeOfValues.test(right)) made.set(name, `${made.get(name) ?? ""} ${right}`);
  }
  const places = new Set<string>();
  const pending = body.descendantsOfType("call").flatMap((call): readonly string[] => {
    const callee = fieldText(call, "function");
    const given = call.childForFieldName("arguments")?.namedChildren ?? [];
    if (/\.(load|store|atomic_\w+)$/.test(callee)) return namesIn(given[0]?.text ?? "");
    return /(^|\.)range$/.test(callee) ? given.flatMap(({ text }) => namesIn(text)) : [];
  });
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (places.has(name)) continue;
    places.add(name);
    pending.push(...namesIn(made.get(name) ?? ""));
  }
  return places;
}
