import type { DataType } from "../../../workload/spec";
import { compact, usesOf } from "../../../language/query";
import { parameterName } from "../../../language/triton/names";
import type { SyntaxNode } from "../../../language/tree";
import type { RuleInput } from "../rule";
import { isCallOf, keyword, launchValue, onlyAssignment, positional, type TritonView } from "./kernel";
import { addressTerms } from "./spread/address";

/** A tile that a product takes: where it is loaded, and the widening that can be left out. */
interface Tile {
  readonly load: SyntaxNode;
  /** `x.to(tl.float32)` and `x`; undefined where the tile is taken as it is loaded. */
  readonly widened: { readonly whole: SyntaxNode; readonly inner: SyntaxNode } | undefined;
}

/**
 * The load behind a tile, through names that are given once and serve products alone, through `tl.trans` and
 * one widening to float32; undefined where more is done to it.
 */
export function tileOf(view: TritonView, node: SyntaxNode, widened?: Tile["widened"]): Tile | undefined {
  if (isLoad(view, node)) return { load: node, widened };
  if (node.type === "identifier") return tileOfName(view, node.text, widened);
  const inner = isCallOf(view, node, "trans") ? positional(node)[0] : undefined;
  if (inner !== undefined) return tileOf(view, inner, widened);
  const owner = ownerOf(node, "to");
  const single = /\.to\((?:\w+|triton\.language)\.float32\)$/.test(compact(node));
  return owner !== undefined && widened === undefined && single
    ? tileOf(view, owner, { whole: node, inner: owner })
    : undefined;
}

function tileOfName(view: TritonView, name: string, widened: Tile["widened"]): Tile | undefined {
  const assignment = onlyAssignment(view.body, name);
  const value = assignment?.childForFieldName("right");
  if (!value) return undefined;
  const changed = widened === undefined && value.type === "call" && !isLoad(view, value);
  return changed && !servesProducts(view, name, assignment) ? undefined : tileOf(view, value, widened);
}

/** What a method is called on. */
function ownerOf(node: SyntaxNode, method: string): SyntaxNode | undefined {
  const callee = node.type === "call" ? node.childForFieldName("function") : null;
  const named = callee?.type === "attribute" && callee.childForFieldName("attribute")?.text === method;
  return (named ? callee.childForFieldName("object") : undefined) ?? undefined;
}

/** `tl.load(…)`, or `descriptor.load(…)`. */
function isLoad(view: TritonView, node: SyntaxNode): boolean {
  if (isCallOf(view, node, "load")) return true;
  const owner = ownerOf(node, "load");
  return owner?.type === "identifier" && onlyAssignment(view.body, owner.text) !== undefined;
}

/** True where a name stands in products only: it may be of another type then. */
function servesProducts(view: TritonView, name: string, assignment: SyntaxNode | undefined): boolean {
  return usesOf(view.body, name).every((use) => {
    if (assignment !== undefined && use.parent?.id === assignment.id) return true;
    const around = use.parent?.parent;
    const call = around && isCallOf(view, around, "trans") ? around.parent?.parent : around;
    return !!call && isCallOf(view, call, "dot");
  });
}

/**
 * The dtype of what is loaded: kernel parameter → launch argument → wrapper parameter → spec input. Where the
 * wrapper is not what the spec calls, the dtype that all inputs of real numbers have, if no host code
 * converts.
 */
export function loadedType(input: RuleInput, view: TritonView, load: SyntaxNode): DataType | undefined {
  const bases = basesOf(view, load);
  const types = new Set(bases.map((base) => parameterType(input, view, base)));
  const [type] = types;
  return types.size === 1 ? type : undefined;
}

/** The pointers that an address, a block pointer or a descriptor is made of. */
function basesOf(view: TritonView, load: SyntaxNode): readonly string[] {
  const address = isCallOf(view, load, "load") ? positional(load)[0] : ownerOf(load, "load");
  const terms = address ? addressTerms(view, address) : [];
  const made = terms.flatMap((term) => {
    const isMade = ["make_block_ptr", "make_tensor_descriptor"].some((name) => isCallOf(view, term, name));
    const base = isMade ? (keyword(term, "base") ?? positional(term)[0]) : undefined;
    return base === undefined ? [] : addressTerms(view, base);
  });
  const names = new Set([...terms, ...made].map(({ text }) => text));
  return view.parameters.flatMap(({ name, pointer, constexpr }) =>
    names.has(name) && !constexpr && (pointer || made.length > 0) ? [name] : [],
  );
}

function parameterType(input: RuleInput, view: TritonView, parameter: string): DataType | undefined {
  const { run, inputs } = input.spec;
  const argument = launchValue(view, parameter)?.text.replace(/\.(contiguous|detach)\(\)$/, "");
  const { host } = view;
  const held = heldType(input, argument);
  if (held !== undefined) return held;
  if (run.kind !== "entry" || argument === undefined) return undefined;
  const given = host
    .descendantsOfType("assignment")
    .some((node) => node.childForFieldName("left")?.text === argument);
  const names = (host.childForFieldName("parameters")?.namedChildren ?? []).map(parameterName);
  const isEntry = host.childForFieldName("name")?.text === run.entry.call.split("::").at(-1);
  if (!isEntry || given || !names.includes(argument)) return commonType(input, view);
  const passed = run.entry.arguments[names.indexOf(argument)];
  return typeof passed === "string" ? inputs[passed]?.dtype : undefined;
}

/** What a module holds is an input of its name. */
function heldType({ spec }: RuleInput, argument = ""): DataType | undefined {
  return spec.inputs[/^self\.(\w+)$/.exec(argument)?.[1] ?? ""]?.dtype;
}

/**
 * The one dtype of all inputs of real numbers, where nothing outside of kernels converts, and none holds
 * bytes, which may be real numbers as well.
 */
function commonType({ spec }: RuleInput, view: TritonView): DataType | undefined {
  const all = Object.values(spec.inputs).map(({ dtype }) => dtype);
  if (all.some((dtype) => /int8$/.test(dtype))) return undefined;
  const types = new Set(all.filter((dtype) => /float/.test(dtype)));
  const [type] = types;
  const converts = /\.(to|float|half|bfloat16|double|type)\(/.test(view.host.text);
  return types.size === 1 && !converts ? type : undefined;
}
