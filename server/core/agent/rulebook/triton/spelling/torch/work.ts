import { enclosing, isInside, partsOf, unwrapped, usesOf } from "../../../../../language/query";
import type { TritonModel } from "../../../../../language/triton/model";
import { parameterName } from "../../../../../language/triton/names";
import type { SyntaxNode } from "../../../../../language/tree";
import { freshName, indentOf, type TextEdit } from "../../../edits";
import type { RuleInput } from "../../../rule";
import { onlyAssignment } from "../../kernel";
import { entryCall } from "../entry-call";
import { isEntry } from "../read";
import { placeIn } from "./broadcast";
import { elementValue, type HostTensor, type Reading } from "./values";

/** A statement of the host that works out a tensor by elements, and what a kernel would do for it. */
interface TorchWork {
  readonly statement: SyntaxNode;
  /** Earlier statements that only serve it. */
  readonly served: readonly SyntaxNode[];
  /** The name that the result gets. */
  readonly target: string;
  /** Tensors that it takes, each once; the first one has the result's shape. */
  readonly tensors: readonly (HostTensor & { readonly name: string })[];
  /** Numbers of the host that it takes, by the names that a kernel has for them. */
  readonly numbers: ReadonlyMap<string, string>;
  /** The value of an element in Triton's words, tensors by their names. */
  readonly value: string;
  readonly type: string;
}

/** What torch does by elements in a function, to a tensor of a launch and with tensors that fit its shape. */
export function torchWork(input: RuleInput, model: TritonModel, host: SyntaxNode): TorchWork | undefined {
  const inHost = model.launches.filter(({ call }) => isInside(call, host));
  const passed = new Set(
    inHost
      .flatMap(({ positional, keywords }) => [...positional, ...keywords.values()])
      .flatMap((node) => (node.type === "identifier" ? [node.text] : [])),
  );
  const launches = inHost.map(({ call }) => call);
  const known = knownIn(input, host);
  for (const statement of partsOf(host.childForFieldName("body"))) {
    const work = workOf(statement, { ...known, host, launches });
    if (work === undefined) continue;
    const names = work.tensors.map(({ name }) => name);
    const isLinked = names.some((name) => passed.has(name)) || passed.has(work.target);
    if (isLinked && isGivenOnce(host, [work.target, ...names])) return work;
  }
  return undefined;
}

/** A name that is given a value elsewhere as well may be another tensor there. */
function isGivenOnce(host: SyntaxNode, names: readonly string[]): boolean {
  return names.every((name) => {
    const given = host
      .descendantsOfType(["assignment", "augmented_assignment"])
      .filter((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
    return given.length <= 1 && given.every(({ type }) => type === "assignment");
  });
}

interface Known extends Pick<Reading, "tensors" | "numbers"> {
  readonly host: SyntaxNode;
  readonly launches: readonly SyntaxNode[];
}

function workOf(statement: SyntaxNode, known: Known): TorchWork | undefined {
  const given = givenBy(statement, known.host);
  if (given === undefined) return undefined;
  const { target, right } = given;
  const [taken, passed] = [new Map<string, HostTensor>(), new Map<string, string>()];
  const statements: SyntaxNode[] = [];
  const isOwn = (each: SyntaxNode): boolean => servesAlone(each, statement, known);
  const value = elementValue(right, { ...known, taken, passed, statements, isOwn });
  if (value?.tensor === undefined || value.tensor.type === "bool") return undefined;
  const { type, shape } = value.tensor;
  const plain = unwrapped(right);
  if (plain.type === "identifier" || /^\w+_value$/.test(value.text)) return undefined;
  const all = [...taken].map(([name, tensor]) => ({ name, ...tensor }));
  const [first] = all.filter(({ name }) => known.tensors.get(name)?.shape.join() === shape.join());
  // Names that the kernel has for its own values.
  if (all.some(({ name }) => /^(?:at|into|count|BLOCK|number\d+)$/.test(name))) return undefined;
  if (first === undefined || !all.every(({ shape: own }) => own.length <= shape.length)) return undefined;
  const tensors = [first, ...all.filter(({ name }) => name !== first.name)];
  const numbers = passed;
  return { statement, served: statements, target, tensors, numbers, value: value.text, type };
}

interface Given {
  readonly target: string;
  readonly right: SyntaxNode;
}

/** `target = right`, and `return right` under a name of its own. */
function givenBy(statement: SyntaxNode, host: SyntaxNode): Given | undefined {
  const [part, ...more] = partsOf(statement);
  if (statement.type === "return_statement")
    return part !== undefined && more.length === 0
      ? { target: freshName(host.text, "returned"), right: part }
      : undefined;
  const left = part?.type === "assignment" ? part.childForFieldName("left") : undefined;
  const right = part?.childForFieldName("right");
  return right && left?.type === "identifier" ? { target: left.text, right } : undefined;
}

const asked = /^(?:shape|size|numel|stride|dtype|device|ndim|dim|is_cuda)$/;

/** True for a value that only one later statement reads, with no launch between them. */
function servesAlone(each: SyntaxNode, statement: SyntaxNode, { host, launches }: Known): boolean {
  const name = partsOf(each)[0]?.childForFieldName("left")?.text ?? "";
  if (each.parent?.id !== statement.parent?.id || each.startIndex >= statement.startIndex) return false;
  const isBetween = ({ startIndex }: SyntaxNode): boolean =>
    startIndex > each.startIndex && startIndex < statement.startIndex;
  const changed = partsOf(each.parent).some((part) => isBetween(part) && mayChange(part));
  const [only, ...more] = usesOf(host, name).filter(
    (use) => !isInside(use, each) && !(isInside(use, statement) && isModelOfConstant(use)),
  );
  return (
    !changed && !launches.some(isBetween) && more.length === 0 && only !== undefined && isReadAtOnce(only)
  );
}

/** True for a statement that does more than give names values: it may change a tensor. */
function mayChange(statement: SyntaxNode): boolean {
  const [part] = partsOf(statement);
  const left = part?.type === "assignment" ? (part.childForFieldName("left")?.type ?? "") : "";
  return !/^(?:identifier|pattern_list|tuple_pattern)$/.test(left) || /\w_\(/.test(statement.text);
}

/** In `torch.zeros_like(x)`, which is a number where it is used by elements. */
function isModelOfConstant({ parent }: SyntaxNode): boolean {
  const callee = parent?.type === "argument_list" ? parent.parent?.childForFieldName("function") : undefined;
  return /^torch\.(?:zeros|ones)_like$/.test(callee?.text ?? "");
}

/** True for a use of a tensor's elements, where it stands. */
function isReadAtOnce(use: SyntaxNode): boolean {
  const attribute = use.parent?.childForFieldName("attribute")?.text ?? "";
  return enclosing(use, "lambda", "for_statement", "if_statement") === undefined && !asked.test(attribute);
}

/**
 * Tensors that a function is given or makes: those of the spec's input, and those that are made like them. So
 * are numbers that it is given.
 */
function knownIn({ spec }: RuleInput, host: SyntaxNode): Pick<Reading, "tensors" | "numbers"> {
  const { tensors: given, numbers } = givenTo(spec, host);
  const tensors = new Map(given);
  for (const act of host.descendantsOfType("assignment")) {
    const name = act.childForFieldName("left")?.text ?? "";
    const made = /^torch\.(?:empty|zeros)_like\((\w+)(?:, dtype=torch\.(\w+))?(?:, memory_format=[\w.]+)?\)$/;
    const [, like, type] = made.exec(act.childForFieldName("right")?.text ?? "") ?? [];
    const tensor = tensors.get(like ?? "");
    const own = type === undefined ? tensor?.type : typeOf(type);
    if (tensor !== undefined && own !== undefined) tensors.set(name, { ...tensor, type: own });
  }
  return { tensors, numbers };
}

/** What the spec hands to the function that it calls. */
function givenTo(
  spec: RuleInput["spec"],
  host: SyntaxNode,
): { readonly tensors: ReadonlyMap<string, HostTensor>; readonly numbers: ReadonlySet<string> } {
  const [tensors, numbers] = [new Map<string, HostTensor>(), new Set<string>()];
  const call = isEntry({ spec }, host) ? entryCall({ spec }) : undefined;
  for (const [place, node] of partsOf(host.childForFieldName("parameters")).entries()) {
    const name = parameterName(node);
    const argument = call?.keywords.get(name) ?? call?.positional[place];
    if (argument === undefined) continue;
    const tensor = spec.inputs[argument];
    const type = tensor && typeOf(tensor.dtype);
    if (tensor !== undefined && type !== undefined)
      tensors.set(name, { type, shape: tensor.shape.map(String) });
    if (/^-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?$/.test(argument)) numbers.add(name);
  }
  return { tensors, numbers };
}

function typeOf(text: string): HostTensor["type"] | undefined {
  const [, type] = /^(float16|bfloat16|float32|bool)$/.exec(text) ?? [];
  return type as HostTensor["type"] | undefined;
}

/** The same work as a kernel of its own, with its launch. */
export function asKernel(
  source: string,
  host: SyntaxNode,
  { statement, served, target, tensors, numbers, value, type }: TorchWork,
): { readonly edits: readonly TextEdit[]; readonly kernel: string } {
  const kernel = freshName(source, "by_elements");
  const indent = indentOf(source, statement);
  const [first] = tensors;
  const whole = first?.shape ?? [];
  const model = first?.name ?? "";
  const places = tensors.map((tensor) => placeIn(tensor, { model, shape: whole }));
  const loads = tensors.map((tensor, place) => {
    const as = tensor.type === "bool" ? "tl.int1" : "tl.float32";
    const at = places[place]?.text ?? "at";
    return `    ${tensor.name}_value = tl.load(${tensor.name} + ${at}, mask=at < count).to(${as})\n`;
  });
  const names = tensors.map(({ name }) => name);
  const sizes = places.flatMap((each) => each.sizes);
  const more = [...sizes.map(({ name }) => name), ...numbers.keys()];
  const head = [...names, "into", "count", ...more, "BLOCK: tl.constexpr"].join(", ");
  const text = [
    `@triton.jit\ndef ${kernel}(${head}):\n`,
    "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n",
    ...loads,
    `    tl.store(into + at, ${value}, mask=at < count)`,
  ].join("");
  // What the function is given may have any strides; what it makes for kernels has none of its own.
  const isMade = (name: string): boolean => onlyAssignment(host, name) !== undefined;
  const options = [
    ...(first?.type === type ? [] : [`, dtype=torch.${type}`]),
    ...(isMade(model) ? [] : [", memory_format=torch.contiguous_format"]),
  ];
  const given = [
    ...names.map((name) => (isMade(name) ? name : `${name}.contiguous()`)),
    target,
    `${model}.numel()`,
    ...sizes.map((each) => each.value),
    ...numbers.values(),
    "BLOCK=1024",
  ].join(", ");
  const lines = [
    `${target} = torch.empty_like(${model}${options.join("")})`,
    `${kernel}[(triton.cdiv(${model}.numel(), 1024),)](${given})`,
  ];
  if (statement.type === "return_statement") lines.push(`return ${target}`);
  const { startIndex: start, endIndex: end } = statement;
  const gone = served.map((each) => ({
    start: source.lastIndexOf("\n", each.startIndex),
    end: each.endIndex,
    text: "",
  }));
  return { edits: [...gone, { start, end, text: lines.join(`\n${indent}`) }], kernel: text };
}
