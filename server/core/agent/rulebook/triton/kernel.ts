import type { ParameterFacts } from "../../../language/facts";
import { compact, enclosing, isInside, operands, partsOf, usesOf } from "../../../language/query";
import type { SyntaxNode } from "../../../language/tree";
import type { TritonLaunch } from "../../../language/triton/launches";
import { readTriton, type TritonModel } from "../../../language/triton/model";
import { parameterName } from "../../../language/triton/names";
import { replaceNode, type TextEdit } from "../edits";
import { isNot, not, type RuleHold, type RuleInput } from "../rule";
import { type Decoration, decorationOf, isInDecorator } from "./decorators/decoration";

/** What the source model says about the kernel that a rule looks at. */
export interface TritonView extends Decoration {
  readonly source: string;
  readonly model: TritonModel;
  readonly definition: SyntaxNode;
  readonly body: SyntaxNode;
  readonly parameters: readonly ParameterFacts[];
  /** The only launch of the kernel in its file. */
  readonly launch: TritonLaunch;
  /** The Python function that launches. */
  readonly host: SyntaxNode;
  /** One-based line of the kernel's name. */
  readonly line: number;
}

/** A number at the launch that a rewrite may change: an integer literal, directly or through a local name. */
export interface LaunchConstant {
  readonly value: number;
  /** The literal to replace. */
  readonly holder: SyntaxNode;
  /** The local name in between, when there is one. */
  readonly local: string | undefined;
  /** The same number in the grid, which has to follow. */
  readonly beside: readonly SyntaxNode[];
}

/** Models by what was asked: the rules of one ranking share theirs. */
const models = new WeakMap<RuleInput, TritonModel>();

/** The kernel with its only launch; a guard's answer when its launch cannot be read, or it is not there. */
export function tritonKernel(input: RuleInput): TritonView | RuleHold {
  const source = input.tree[input.file];
  const model = modelOf(input, source);
  if (source === undefined || model === undefined)
    return not("unreadable", `${input.file} is no Python source`, 1);
  const [kernel, ...others] = model.kernels.filter(({ facts }) => facts.name === input.kernel);
  if (kernel === undefined) return not("unreadable", `${input.file} has no kernel ${input.kernel}`, 1);
  const { definition, body, facts } = kernel;
  const line = facts.nameRange.start.line + 1;
  if (others.length > 0) return not("unreadable", `${input.file} has several kernels of that name`, line);
  if (facts.damaged) return not("unreadable", `${input.kernel} does not parse as a whole`, line);
  const decoration = decorationOf(model, kernel);
  if (isNot(decoration)) return decoration;
  const launch = onlyLaunch(model, input.kernel, line);
  if ("kind" in launch) return launch;
  const { parameters } = facts;
  return { source, model, definition, body, parameters, line, ...launch, ...decoration };
}

function onlyLaunch(
  { launches }: TritonModel,
  kernel: string,
  line: number,
): Pick<TritonView, "launch" | "host"> | RuleHold {
  const [launch, ...more] = launches.filter(({ site }) => site.kernel === kernel);
  if (launch?.host === undefined)
    return not("launch", "no function of the file launches the kernel", launch?.call ?? line);
  if (more.length > 0)
    return not("launch", "the kernel is launched at several places", more[0]?.call ?? line);
  const { host, splat } = launch;
  return splat === undefined
    ? { launch, host }
    : not("launch", "arguments of the launch are unpacked", splat);
}

function modelOf(input: RuleInput, source: string | undefined): TritonModel | undefined {
  const known = models.get(input);
  if (known !== undefined) return known;
  const root = source === undefined ? undefined : input.parse(input.file, source);
  const model = root === undefined ? undefined : readTriton(root);
  if (model !== undefined) models.set(input, model);
  return model;
}

/** The assignment `name = value` in the function, when there is exactly one. */
export function onlyAssignment(scope: SyntaxNode, name: string): SyntaxNode | undefined {
  const found = scope
    .descendantsOfType(["assignment", "augmented_assignment"])
    .filter((node) => usesOf(node.childForFieldName("left") ?? node, name).length > 0);
  const [assignment] = found;
  return found.length === 1 &&
    assignment?.type === "assignment" &&
    assignment.childForFieldName("left")?.text === name
    ? assignment
    : undefined;
}

/**
 * The constant that the launch passes for a parameter or option, by keyword or by position, through a name of
 * the function or of the file, that the autotuner's first configuration has, or that is the parameter's
 * default; undefined when it is computed.
 */
export function launchConstant(view: TritonView, name: string): LaunchConstant | undefined {
  const { host, model } = view;
  const value = launchValue(view, name);
  if (value?.type === "integer") {
    const number = Number(value.text);
    // The same number in the grid is another one where the parameter numbers no programs.
    const beside = numbersPrograms(view, name) ? gridLiterals(view, number) : [];
    return { value: number, holder: value, local: undefined, beside };
  }
  if (value?.type !== "identifier") return undefined;
  const own = isInDecorator(value) ? undefined : onlyAssignment(host, value.text);
  const assignment = own ?? fileConstant(model.root, value.text);
  const holder = assignment?.childForFieldName("right");
  return holder?.type === "integer"
    ? { value: Number(holder.text), holder, local: value.text, beside: [] }
    : undefined;
}

/** What a launch gives a parameter or an option, wherever it stands. */
export function launchValue(view: TritonView, name: string): SyntaxNode | undefined {
  const { launch, parameters, definition, configuration, decided } = view;
  const place = parameters.findIndex((parameter) => parameter.name === name);
  const passed = launch.keywords.get(name) ?? (place < 0 ? undefined : launch.positional[place]);
  if (passed !== undefined) return passed;
  if (decided.has(name)) return undefined;
  const configured = configuration && valueIn(configuration, name);
  if (configured !== undefined) return configured;
  const declared = partsOf(definition.childForFieldName("parameters")).find(
    (node) => parameterName(node) === name,
  );
  return declared?.childForFieldName("value") ?? undefined;
}

/** The value of `"BLOCK": 64`, or of `num_warps=4`, in a configuration. */
function valueIn(configuration: SyntaxNode, name: string): SyntaxNode | undefined {
  const entries = configuration.descendantsOfType(["pair", "keyword_argument"]);
  const found = entries.find((entry) => {
    const key = entry.childForFieldName(entry.type === "pair" ? "key" : "name");
    return key?.text.replace(/["']/g, "") === name;
  });
  return found?.childForFieldName("value") ?? undefined;
}

/** The assignment of a name that the file sets once, outside of functions. */
function fileConstant(root: SyntaxNode, name: string): SyntaxNode | undefined {
  const assignment = onlyAssignment(root, name);
  return assignment !== undefined && enclosing(assignment, "function_definition") === undefined
    ? assignment
    : undefined;
}

/** The number in `cdiv(n, 128)` of the grid, where it is that of the launch's own literal. */
function gridLiterals(view: TritonView, value: number): readonly SyntaxNode[] {
  return gridParts(view)
    .flatMap((part) => part.descendantsOfType("call"))
    .filter((call) => /(^|\.)cdiv$/.test(compact(call.childForFieldName("function"))))
    .flatMap((call) => positional(call)[1] ?? [])
    .filter((node) => node.type === "integer" && Number(node.text) === value);
}

/** The grid as written, and what the names in it stand for. */
function gridParts({ launch, host }: TritonView): readonly SyntaxNode[] {
  const found: SyntaxNode[] = launch.grid === undefined ? [] : [launch.grid];
  for (const part of found)
    for (const name of part.descendantsOfType("identifier")) {
      const value = onlyAssignment(host, name.text)?.childForFieldName("right");
      if (value && !found.some(({ id }) => id === value.id)) found.push(value);
    }
  return found;
}

/** Edits that give the constant another value, wherever the launch says it. */
export function constantEdits({ holder, beside }: LaunchConstant, value: number): readonly TextEdit[] {
  return [holder, ...beside].map((node) => replaceNode(node, String(value)));
}

/** Warps of a program whose launch does not say how many. */
export const usualWarps = 4;

/**
 * Warps of a program as passed at the launch, the usual ones when left out; undefined when computed, or
 * decided by a decorator.
 */
export function launchWarps(view: TritonView): number | undefined {
  if (view.decided.has("num_warps")) return undefined;
  return launchValue(view, "num_warps") === undefined ? usualWarps : launchConstant(view, "num_warps")?.value;
}

/** Calls of members of `triton.language`, under whatever name it was imported. */
export function languageCalls(
  view: TritonView,
  names: readonly string[],
  node: SyntaxNode = view.body,
): readonly SyntaxNode[] {
  return node.descendantsOfType("call").filter((call) => names.some((name) => isCallOf(view, call, name)));
}

/** Members of `triton.language` whose result for an element depends on others. */
const combining = [
  "dot",
  "sum",
  "max",
  "min",
  "argmax",
  "argmin",
  "cumsum",
  "reduce",
  "associative_scan",
  "sort",
];

export function combiningCalls(view: TritonView, node: SyntaxNode = view.body): readonly SyntaxNode[] {
  return languageCalls(view, combining, node);
}

/** True for `tl.NAME(…)`. */
export function isCallOf(view: TritonView, node: SyntaxNode, name: string): boolean {
  return node.type === "call" && view.model.names.isLanguage(node.childForFieldName("function"), name);
}

/** The keyword argument's value in a call. */
export function keyword(call: SyntaxNode, name: string): SyntaxNode | undefined {
  const argument = partsOf(call.childForFieldName("arguments")).find(
    (node) => node.type === "keyword_argument" && node.childForFieldName("name")?.text === name,
  );
  return argument?.childForFieldName("value") ?? undefined;
}

/** Positional arguments of a call. */
export function positional(call: SyntaxNode): readonly SyntaxNode[] {
  return partsOf(call.childForFieldName("arguments")).filter((node) => node.type !== "keyword_argument");
}

/** The mask of a load, store or atomic, by its name or by its place. */
export function maskOf(view: TritonView, call: SyntaxNode): SyntaxNode | undefined {
  return keyword(call, "mask") ?? positional(call)[isCallOf(view, call, "load") ? 1 : 2];
}

/** What a load gives lanes that its mask leaves out. */
export function otherOf(call: SyntaxNode): SyntaxNode | undefined {
  return keyword(call, "other") ?? positional(call)[2];
}

/** The first loop of the kernel. */
export function firstLoop(view: TritonView): SyntaxNode | undefined {
  return view.body.descendantsOfType(["for_statement", "while_statement"])[0];
}

/** A loop in steps of the block. */
export function walkIn({ body }: TritonView, block: string): SyntaxNode | undefined {
  return body
    .descendantsOfType(["for_statement", "while_statement"])
    .find((loop) => usesOf(loop.childForFieldName("right") ?? loop, block).length > 0);
}

const reshaping = ["expand_dims", "reshape", "view", "trans", "broadcast_to"];

/**
 * Where the kernel makes tiles of two dimensions: `[:, None]`, or a call that reshapes; `[:]` changes
 * nothing.
 */
export function secondDimension(view: TritonView): SyntaxNode | undefined {
  const sliced = view.body
    .descendantsOfType("subscript")
    .find((node) => node.childrenForFieldName("subscript").length > 1);
  return sliced ?? languageCalls(view, reshaping)[0];
}

/**
 * True when a local name of the launching function serves only the launch: its keywords, and for the grid
 * `cdiv(…, name)` or `(… + name - 1) // name`.
 */
export function servesLaunchOnly({ launch, host, model }: TritonView, local: string): boolean {
  const own = onlyAssignment(host, local);
  const assignment = own ?? fileConstant(model.root, local);
  if (assignment === undefined) return false;
  const uses = usesOf(own === undefined ? model.root : host, local).filter((use) => !isHidden(use, local));
  return uses.every((use) => {
    if (isInside(use, assignment)) return true;
    if (use.parent?.type === "keyword_argument") return enclosing(use, "call")?.id === launch.call.id;
    const call = use.parent?.type === "argument_list" ? use.parent.parent : null;
    if (call?.id === launch.call.id) return true;
    const divides = /(^|\.)cdiv$/.test(compact(call?.childForFieldName("function")));
    return call?.type === "call" && divides ? positional(call)[1]?.id === use.id : isInRoundedUp(use, local);
  });
}

/** True for a use that means a parameter of the function around it. */
function isHidden(use: SyntaxNode, name: string): boolean {
  const parameters = enclosing(use, "function_definition")?.childForFieldName("parameters");
  return partsOf(parameters).some((node) => parameterName(node) === name);
}

/** `(n + local - 1) // local`, the grid as a whole division rounded up. */
function isInRoundedUp(use: SyntaxNode, local: string): boolean {
  const rounded = new RegExp(`^\\(.+\\+\\(?${local}-1\\)?\\)//${local}$`);
  for (let around = use.parent; around !== null; around = around.parent) {
    if (around.type !== "binary_operator" && around.type !== "parenthesized_expression") return false;
    if (rounded.test(compact(around))) return usesOf(around, local).length === 2;
  }
  return false;
}

/**
 * True when the grid follows the block: by `cdiv(…, local)` or by a lambda over the launch's own keywords.
 */
export function gridFollows(view: TritonView, parameter: string, local: string | undefined): boolean {
  const parts = gridParts(view);
  if (local !== undefined && parts.some((part) => usesOf(part, local).length > 0)) return true;
  const constant = local === undefined ? launchConstant(view, parameter) : undefined;
  if (constant !== undefined && constant.beside.length > 0 && numbersPrograms(view, parameter)) return true;
  const name = new RegExp(`\\[\\s*["']${parameter}["']\\s*\\]`);
  return parts.some((part) =>
    part.descendantsOfType(["lambda", "subscript"]).some((node) => name.test(node.text)),
  );
}

/**
 * True for `tl.program_id(0) * PARAMETER`: a program handles that many elements along an axis of the grid.
 */
export function numbersPrograms(view: TritonView, parameter: string): boolean {
  return programsTimes(view, parameter).length > 0;
}

/** Each `tl.program_id(…)` that is multiplied by the parameter. */
export function programsTimes(view: TritonView, parameter: string): readonly SyntaxNode[] {
  return view.body.descendantsOfType("binary_operator").flatMap((product) => {
    const factors = operands(product, "*");
    const others = factors.filter(({ text }) => text !== parameter);
    return others.length < factors.length
      ? others.flatMap((factor) => programNumber(view, factor) ?? [])
      : [];
  });
}

/** `tl.program_id(0)`, be it of another type, or a name that is set to it once. */
function programNumber(view: TritonView, factor: SyntaxNode): SyntaxNode | undefined {
  const value =
    factor.type === "identifier"
      ? onlyAssignment(view.body, factor.text)?.childForFieldName("right")
      : factor;
  const callee = value?.type === "call" ? value.childForFieldName("function") : null;
  const converted = callee?.type === "attribute" && callee.childForFieldName("attribute")?.text === "to";
  const number = converted ? callee.childForFieldName("object") : value;
  return number && isCallOf(view, number, "program_id") ? number : undefined;
}

/** The statement that a call stands in, or the call itself where it is part of a larger one. */
export function statementOf(call: SyntaxNode): SyntaxNode {
  return enclosing(call, "expression_statement") ?? call;
}
