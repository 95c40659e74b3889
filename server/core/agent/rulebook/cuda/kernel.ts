import { readCuda, type CudaModel } from "../../../language/cuda/model";
import { type Constants, constantValue } from "../../../language/cuda/constants";
import { type Form, formOf } from "../../../language/cuda/body/forms";
import { changes, type KernelScope, kernelScope } from "../../../language/cuda/body/scope";
import { memberPointers } from "../../../language/cuda/entry/structure-members";
import type { CudaKernel } from "../../../language/cuda/kernels";
import type { CudaLaunch } from "../../../language/cuda/launches";
import { collapse, compact } from "../../../language/query";
import { elementTypeOf } from "../../../language/cuda/launch/element-types";
import { dataTypeOf } from "../../../language/spec-draft";
import type { SyntaxNode } from "../../../language/tree";
import { itemBytes } from "../../../workload/item-bytes";
import type { DataType } from "../../../workload/spec";
import { not, type RuleHold, type RuleInput } from "../rule";

/** What the source model says about the kernel that a rule looks at. */
export interface KernelView {
  readonly source: string;
  readonly model: CudaModel;
  readonly kernel: CudaKernel;
  readonly body: SyntaxNode;
  readonly scope: KernelScope;
  /** Launches of this kernel in its own file. */
  readonly launches: readonly CudaLaunch[];
  /** Template arguments of the instances that were judged, as their symbols tell them. */
  readonly instances: readonly (readonly string[])[];
  /** One-based line of the kernel's name. */
  readonly line: number;
}

/** Kernels by what was asked: the rules of one ranking share theirs. */
const views = new WeakMap<RuleInput, KernelView | RuleHold>();

/** The kernel of the input; a guard's answer when it is not there, is there twice, or does not parse. */
export function cudaKernel(input: RuleInput): KernelView | RuleHold {
  const view = views.get(input) ?? viewOf(input);
  views.set(input, view);
  return view;
}

function viewOf(input: RuleInput): KernelView | RuleHold {
  const source = input.tree[input.file];
  const root = source === undefined ? undefined : input.parse(input.file, source);
  const model = root === undefined ? undefined : readCuda(root);
  if (source === undefined || model === undefined)
    return not("unreadable", `${input.file} is no CUDA source`, 1);
  const name = input.kernel.split("::").at(-1) ?? input.kernel;
  const [kernel, ...others] = model.kernels.filter(({ facts }) => facts.name === name);
  if (kernel === undefined) return not("unreadable", `${input.file} has no kernel ${name} that parses`, 1);
  const line = kernel.facts.nameRange.start.line + 1;
  if (others.length > 0) return not("unreadable", `${input.file} has several kernels called ${name}`, line);
  if (kernel.facts.damaged) return not("unreadable", `${name} does not parse as a whole`, line);
  return {
    source,
    model,
    kernel: withMemberPointers(kernel, model),
    body: kernel.body,
    scope: kernelScope(kernel, model.constants),
    launches: model.launches.filter(({ site }) => site.kernel === name),
    instances: judgedInstances(input, name),
    line,
  };
}

/**
 * The kernel with the pointers of structures that it takes by value, `A.elements`, as parameters of their own
 * behind the others; those that it changes itself are left out.
 */
function withMemberPointers(kernel: CudaKernel, { root }: CudaModel): CudaKernel {
  const changed = new Set(changes(kernel.body).map(({ target }) => compact(target)));
  const pointers = kernel.facts.parameters.flatMap(({ name, type, pointer }) => {
    const own = pointer || changed.has(name) ? [] : memberPointers(type, root);
    return own.map((member) => ({ ...member, name: `${name}.${member.name}` }));
  });
  const steady = pointers.filter(({ name }) => !changed.has(name));
  const parameters = [...kernel.facts.parameters, ...steady];
  return steady.length === 0 ? kernel : { ...kernel, facts: { ...kernel.facts, parameters } };
}

/** `scale<float, 32>` of what was compiled gives `float` and `32`. */
function judgedInstances({ facts }: RuleInput, name: string): readonly (readonly string[])[] {
  return facts.flatMap(({ kernel }) => {
    const [, own, given] = /^([\w:]+)<([^<>]*)>$/.exec(kernel) ?? [];
    return own?.split("::").at(-1) === name && given !== undefined
      ? [given.split(",").map((text) => text.trim())]
      : [];
  });
}

/** The form of an expression in the kernel's body. */
export function formIn(view: KernelView, node: SyntaxNode): Form {
  return formOf(node, view.scope);
}

/**
 * What template parameters are at the launch, in the instances that were judged, or by default: good for an
 * estimate, but a rewrite has to hold for every instance. A parameter that launches disagree about is left
 * out.
 */
export function templateEstimates({ kernel, launches, instances, model }: KernelView): {
  readonly values: Constants;
  readonly types: ReadonlyMap<string, string>;
} {
  const given = kernel.facts.templateParameters.flatMap(({ name, kind }, position) => {
    const otherwise = kernel.templateParameters[position]?.childForFieldName("default_value");
    const launched = launches.map((launch) => wordsOf(launch.templateArguments[position] ?? otherwise));
    // A launcher that is a template itself passes on names of its own.
    const isKnown = launched.length > 0 && launched.every((text) => isKnownArgument(model, kind, text));
    const isJudged = instances.length > 0 && !isKnown;
    const passed = isJudged ? instances.map((texts) => texts[position] ?? "") : launched;
    const [text = wordsOf(otherwise)] = passed;
    if (text === "" || passed.some((each) => each !== text)) return [];
    return [{ name, kind, text }];
  });
  const values = given.filter(
    ({ kind, text }) => kind === "value" && constantValue(text, model.constants) !== undefined,
  );
  const types = given.filter(({ kind }) => kind === "type");
  return {
    values: new Map(values.map(({ name, text }) => [name, { name, text, node: undefined }])),
    types: new Map(types.map(({ name, text }) => [name, text])),
  };
}

/** Whether an argument of a template says a value or a type, and not another name of one. */
function isKnownArgument({ constants, types, root }: CudaModel, kind: string, text: string): boolean {
  if (kind === "value") return constantValue(text, constants) !== undefined;
  return elementTypeOf(types.get(text) ?? text, root) !== undefined;
}

function wordsOf(node: SyntaxNode | null | undefined): string {
  return collapse(node?.text ?? "");
}

/** Value of an expression over the constants that the kernel sees and what its template is launched with. */
export function estimatedValue(view: KernelView, expression: SyntaxNode): number | undefined {
  const known = new Map([...view.model.constants, ...templateEstimates(view).values]);
  return view.scope.value(expression) ?? constantValue(expression.text, known);
}

/** The scalar type behind other names and template parameters; undefined for types that are no scalars. */
function scalarType(view: KernelView, type: string): DataType | undefined {
  const plain = type.replace(/\b(const|volatile)\b/g, "").trim();
  const given = templateEstimates(view).types.get(plain) ?? plain;
  return dataTypeOf(view.model.types.get(given) ?? given);
}

/** Bytes of an element of a scalar type, template parameters as they are launched. */
export function scalarBytes(view: KernelView, type: string): number | undefined {
  const data = scalarType(view, type);
  return data === undefined ? undefined : itemBytes[data];
}

/** The same of scalars, vectors (`float2`, `__half2`) and structures whose fields all have one type. */
export function elementBytes(view: KernelView, type: string): number | undefined {
  const scalar = scalarBytes(view, type);
  if (scalar !== undefined) return scalar;
  const plain = type.replace(/\b(const|volatile)\b/g, "").trim();
  const element = elementTypeOf(view.model.types.get(plain) ?? plain, view.model.root);
  return element && itemBytes[element.dtype] * element.width;
}

/** Nothing of an element's type: a number as written, `T()` of structures and vectors. */
export function nothingOf(view: KernelView, type: string, number = "0"): string {
  return scalarBytes(view, type) === undefined ? `${type}()` : `static_cast<${type}>(${number})`;
}
