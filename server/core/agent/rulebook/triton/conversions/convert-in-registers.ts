import { compact, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { termOf } from "../../../../timing/bound";
import { editedTree, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import {
  languageCalls,
  onlyAssignment,
  positional,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { libraryOf } from "../spread/dimension";
import { typeAskedOf, type Widening, wideningIn } from "./conversion";

/**
 * Lets a kernel convert what it loads and stores, where the host makes float32 copies of its inputs and
 * converts its outputs back: each copy reads and writes the whole tensor once more.
 */
export const convertInRegisters = defineRule("triton-convert-in-registers", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const copies = copiesOf(view);
  const [first] = copies;
  if (first === undefined)
    return not("no-pattern", "the host converts nothing that the kernel is launched with", view.launch.call);
  const { nanoseconds } = input.bound;
  const gain = Math.min(1, shareSaved(termOf(input.bound, "torch"), nanoseconds));
  const line = lineOf(first.widening.call);
  const edits: TextEdit[] = [];
  for (const copy of copies) {
    const found = editsOfAll(view, input, copy);
    if (isNot(found)) return { ...found, gain };
    edits.push(...found);
  }
  const loads = copies.flatMap(({ loads: own }) => own);
  const value = loads.reduce((sum, load) => sum + countsOf(input, statementOf(load)).globalLoadSectors, 0);
  const blanks = { copy: compact(first.widening.call) };
  const facts = { file: input.file, line, counter: "globalLoadSectors" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, { ...facts, value, ideal: Math.ceil(value / 2) }, blanks),
    gain: Math.max(gain, 0.05),
  };
});

/** A float32 copy that is passed for a parameter. */
interface Copy {
  readonly widening: Widening;
  /** The name that the host gives the copy; undefined where it stands in the launch itself. */
  readonly name: string | undefined;
  readonly parameter: string;
  /** Loads of the kernel that read it. */
  readonly loads: readonly SyntaxNode[];
}

function copiesOf(view: TritonView): readonly Copy[] {
  const { launch, parameters, host } = view;
  const passed = [
    ...launch.positional.map((node, place) => ({ node, parameter: parameters[place]?.name })),
    ...[...launch.keywords].map(([parameter, node]) => ({ node, parameter })),
  ];
  return passed.flatMap(({ node, parameter }): readonly Copy[] => {
    const name = node.type === "identifier" ? node.text : undefined;
    const value = name === undefined ? node : onlyAssignment(host, name)?.childForFieldName("right");
    const widening = value ? wideningIn(value) : undefined;
    if (widening === undefined || parameter === undefined) return [];
    return [{ widening, name, parameter, loads: accessesOf(view, parameter, "load") }];
  });
}

/** Accesses whose address is made of a parameter. */
function accessesOf(view: TritonView, parameter: string, kind: "load" | "store"): readonly SyntaxNode[] {
  const names = pointersFrom(view, parameter);
  return languageCalls(view, [kind]).filter((call) => {
    const [address] = positional(call);
    return address?.descendantsOfType("identifier").some(({ text }) => names.has(text)) === true;
  });
}

/** A parameter, and the names of pointers that are made of it. */
function pointersFrom({ body }: TritonView, parameter: string): ReadonlySet<string> {
  const names = new Set([parameter]);
  const acts = body.descendantsOfType("assignment");
  for (let before = 0; before !== names.size;) {
    before = names.size;
    for (const act of acts) {
      const [name, value] = [act.childForFieldName("left"), act.childForFieldName("right")];
      const loads = /\.(?:load|atomic_\w+)\(/.test(value?.text ?? "");
      const made = value?.descendantsOfType("identifier").some(({ text }) => names.has(text)) === true;
      if (name?.type === "identifier" && made && !loads) names.add(name.text);
    }
  }
  return names;
}

/** The edits of all kernels that the host launches with the copy. */
function editsOfAll(view: TritonView, input: RuleInput, copy: Copy): readonly TextEdit[] | RuleHold {
  const { widening, name } = copy;
  const views = [view, ...(name === undefined ? [] : otherViews(view, input, name))];
  const casts: TextEdit[] = [];
  for (const each of views) {
    const own = each === view ? copy : copiesOf(each).find((other) => other.name === name);
    const found = own && castsOf(each, own);
    if (found === undefined || isNot(found))
      return found ?? not("launch", `${name} is passed in parts`, view.line);
    casts.push(...found);
  }
  const outputs = name === undefined ? [] : outputsLike(views, input, { ...copy, name });
  if (isNot(outputs)) return outputs;
  const { call, converted, ordered } = widening;
  const kept = ordered ? "" : ".contiguous()";
  return [{ start: converted.endIndex, end: call.endIndex, text: kept }, ...casts, ...outputs];
}

/** The other kernels that the same function launches with a tensor, each at one place. */
function otherViews(view: TritonView, input: RuleInput, name: string): readonly TritonView[] {
  const { model, host, launch } = view;
  const kernels = model.launches
    .filter((each) => each.host?.id === host.id && each.call.id !== launch.call.id)
    .filter(({ call }) => usesOf(call, name).length > 0)
    .map(({ site }) => site.kernel);
  return [...new Set(kernels)].flatMap((kernel) => {
    const other = kernel === input.kernel ? undefined : tritonKernel({ ...input, kernel });
    return other === undefined || isNot(other) ? [] : [other];
  });
}

/** The edits of one kernel: what it loads of the copy is converted where it is loaded. */
function castsOf(view: TritonView, { parameter, loads }: Copy): readonly TextEdit[] | RuleHold {
  const others = view.parameters.filter((each) => each.pointer && each.name !== parameter);
  const mixed = others.find((each) =>
    accessesOf(view, each.name, "load").some((load) => loads.some(({ id }) => id === load.id)),
  );
  if (mixed !== undefined)
    return not("aliasing", `${mixed.name} and ${parameter} make one address`, view.line);
  const [store] = [...accessesOf(view, parameter, "store"), ...atomicsOf(view, parameter)];
  if (store !== undefined) return not("dependence", `${parameter} is stored to as well`, store);
  if (loads.length === 0) return not("no-pattern", `no load of ${parameter} is seen`, view.line);
  const single = `${libraryOf(view)}float32`;
  return loads
    .filter((load) => !isConverted(load, single))
    .map(({ endIndex }) => ({ start: endIndex, end: endIndex, text: `.to(${single})` }));
}

/** True for a load that the kernel converts itself. */
function isConverted(load: SyntaxNode, type: string): boolean {
  const callee = load.parent?.type === "attribute" ? load.parent : undefined;
  return callee?.parent?.type === "call" && compact(callee.parent).endsWith(`.to(${type})`);
}

function atomicsOf(view: TritonView, parameter: string): readonly SyntaxNode[] {
  return view.body
    .descendantsOfType("call")
    .filter((call) => /\.atomic_\w+$/.test(compact(call.childForFieldName("function"))))
    .filter((call) => usesOf(call, parameter).length > 0);
}

const asked = new Set([
  "shape",
  "stride",
  "numel",
  "size",
  "device",
  "ndim",
  "dim",
  "is_contiguous",
  "view_as",
]);

/**
 * The edits of tensors that are made like the copy: those that the host converts back anyway take the type
 * of what was copied; others stay float32. A guard's answer where the copy is used for more.
 */
function outputsLike(
  views: readonly TritonView[],
  input: RuleInput,
  { widening, name }: Copy & { readonly name: string },
): readonly TextEdit[] | RuleHold {
  const edits: TextEdit[] = [];
  const isPassed = (use: SyntaxNode): boolean => views.some(({ launch }) => isWithin(use, launch.call));
  for (const use of views[0] === undefined ? [] : usesOf(views[0].host, name)) {
    if (use.startIndex <= widening.call.endIndex || isPassed(use) || asksShape(use)) continue;
    const call = use.parent?.type === "argument_list" ? use.parent.parent : undefined;
    const like = /^torch\.(?:empty|zeros)_like$/.test(compact(call?.childForFieldName("function")));
    if (!call || !like || partsOf(use.parent).length !== 1)
      return not("fixed-elsewhere", `${name} is used for more than the launch`, use);
    if (!views.some((view) => isConvertedBack(view, input, { made: call, widening, views })))
      edits.push({ start: use.endIndex, end: use.endIndex, text: ", dtype=torch.float32" });
  }
  return edits;
}

/** `isInside`, of trees that were parsed apart. */
function isWithin(node: SyntaxNode, around: SyntaxNode): boolean {
  return node.startIndex >= around.startIndex && node.endIndex <= around.endIndex;
}

/** `x.shape`, `x.stride(0)` and the like: the same of a tensor of any type. */
function asksShape({ parent }: SyntaxNode): boolean {
  return parent?.type === "attribute" && asked.has(parent.childForFieldName("attribute")?.text ?? "");
}

interface Made {
  /** The call that makes an output like the copy. */
  readonly made: SyntaxNode;
  readonly widening: Widening;
  readonly views: readonly TritonView[];
}

/** True for an output that the kernel only stores, and that the host converts to the type that was copied. */
function isConvertedBack(
  view: TritonView,
  { spec }: RuleInput,
  { made, widening: { root }, views }: Made,
): boolean {
  const { host, launch, parameters } = view;
  const name = made.parent?.type === "assignment" ? made.parent.childForFieldName("left")?.text : undefined;
  if (name === undefined || root === undefined || onlyAssignment(host, name) === undefined) return false;
  if (Object.values(spec.inputs).some(({ dtype }) => !dtype.includes("float"))) return false;
  const place = launch.positional.findIndex((node) => node.text === name);
  const keyword = [...launch.keywords].find(([, node]) => node.text === name)?.[0];
  const parameter = keyword ?? parameters[place]?.name;
  if (parameter === undefined || !mayBeShorter(view, spec, parameter)) return false;
  const last = Math.max(...views.map((each) => each.launch.call.endIndex));
  const between = usesOf(host, name).filter(
    (use) => use.startIndex < last && use.startIndex > made.endIndex && !isWithin(use, launch.call),
  );
  const later = usesOf(host, name).filter((use) => use.startIndex > last);
  if (between.some((use) => !asksShape(use))) return false;
  return later.length > 0 && later.every((use) => isTypeOf(host, typeAskedOf(use), root));
}

/** True for memory that the kernel only stores to, and whose type nobody else relies on. */
function mayBeShorter(view: TritonView, { outputs }: RuleInput["spec"], parameter: string): boolean {
  // Where the kernel's own memory is what is compared, its type stays.
  if (outputs[parameter]?.dtype === "float32") return false;
  return accessesOf(view, parameter, "load").length + atomicsOf(view, parameter).length === 0;
}

/** `x.dtype`, or a name of it from before `x` was given the copy. */
function isTypeOf(host: SyntaxNode, type: SyntaxNode | undefined, root: string): boolean {
  if (type === undefined) return false;
  const given = onlyAssignment(host, root);
  if (compact(type) === `${root}.dtype`) return given === undefined;
  const named = type.type === "identifier" ? onlyAssignment(host, type.text) : undefined;
  const before = given === undefined || (named !== undefined && named.endIndex <= given.startIndex);
  return compact(named?.childForFieldName("right")) === `${root}.dtype` && before;
}
