import { type Outcome, fail, succeed } from "../../../../../core/base/outcome";
import { namedElementType } from "../../../../../core/language/cuda/launch/element-types";
import type { CudaLaunchFacts, LaunchParameter } from "../../../../../core/language/cuda/launch/launch-facts";
import { accessorSize } from "../../../../../core/language/cuda/launch/sizes/host-tensors";
import { endOf } from "../../../../../core/language/cuda/launch/value-ends";
import { instanceDataType } from "../../../../../core/workload/build/instance";
import { handleType } from "../../../../../core/language/cuda/launch/handle-types";
import type { ProbedKernel, ProbeParameter } from "../../../../../core/ports/prober";
import type { DataType, SizeExpression } from "../../../../../core/workload/spec";
import {
  isStrideName,
  isTurnName,
  madeUpFloat,
  rangeBegins,
} from "../../../../../core/workload/probe/range-names";
import { type ArgumentLayout, type LaidArgument, withNumber } from "./argument-layout";
import { withFittingNumbers } from "./fitting-numbers";
import { recordPlan } from "./record-plan";
import { type PlannedArgument, untyped } from "./planned-argument";

const rangeBegin = 0;

const wholeByBytes: Readonly<Record<number, DataType>> = { 1: "int8", 2: "int16", 4: "int32", 8: "int64" };
const floatByBytes: Readonly<Record<number, DataType>> = { 2: "float16", 4: "float32", 8: "float64" };
const [addressBytes, countBytes] = [8, 4];

/** An accessor among the arguments: the tensor's buffer, and the names of its sizes. */
export interface PlannedAccessor {
  readonly name: string;
  readonly sizes: readonly string[];
  readonly indexBytes: 4 | 8;
  /** See `AccessorType`. */
  readonly slots?: number;
}

/** What a kernel is passed. */
export interface ArgumentPlan {
  readonly planned: readonly PlannedArgument[];
  readonly layout: ArgumentLayout;
  readonly accessors: readonly PlannedAccessor[];
}

/**
 * What each parameter gets in a probe. Types come from the text, and where it does not tell, from the
 * compiled code. The problem names a parameter that no spec can pass.
 */
export function planArguments(
  { parameters, sites }: Pick<CudaLaunchFacts, "parameters" | "sites">,
  { parameters: compiled, instance }: Pick<ProbedKernel, "parameters" | "instance">,
  source: Parameters<typeof withFittingNumbers>[1],
): Outcome<ArgumentPlan, string> {
  if (parameters.length !== compiled.length)
    return fail(`the text has ${parameters.length} parameters, the compiled kernel ${compiled.length}`);
  const plans: OnePlan[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const isFree = (name: string): boolean =>
      parameters.every((other) => other === parameter || !namesOf(other).includes(name));
    const { way: _, ...wayless } = parameter;
    const own = sites.some((site) => tellsLaunch(site, index)) ? wayless : parameter;
    const typed = withCompiledType(withType(own, instance), compiled[index]?.type);
    const isUnread = compiled[index]?.isRead === false && sites.every((site) => !tellsLaunch(site, index));
    // A count that is not read yet is what a guard would be written with.
    const isIdle = isUnread && isTurnName(parameter.name);
    const handle = handleType(parameter.type);
    if (handle !== undefined) return fail(`${parameter.name} is a ${handle}, which host code has to make`);
    const plan = planOf(typed, compiled[index] && { ...compiled[index], isIdle }, isFree);
    if (plan === undefined)
      return fail(
        `the parameter ${parameter.name} has the type ${parameter.type}, a structure, which a kernel spec can pass only as fixed bytes`,
      );
    plans.push(plan);
  }
  const planned = plans.flatMap((each) => each.planned);
  const sizes = planned.flatMap(({ kind, name }) => (kind === "size" ? name : []));
  const begins = rangeBegins(sizes);
  return succeed({
    planned: withFittingNumbers(
      planned.map((each) => beginning(each, begins.get(each.name))),
      source,
    ),
    layout: [...begins.keys()].reduce<ArgumentLayout>(
      (layout, name) => withNumber(layout, name, rangeBegin),
      plans.map(({ laid }) => laid),
    ),
    accessors: plans.flatMap(({ accessor }) => accessor ?? []),
  });
}

/** A parameter as it was compiled; `isIdle`: a number of a turn or a mode that nothing depends on. */
type CompiledParameter = ProbeParameter & { readonly isIdle: boolean };

/** Whether a launch computes its grid or block from what it passes for a parameter. */
function tellsLaunch(site: CudaLaunchFacts["sites"][number], index: number): boolean {
  const names: readonly string[] = site.arguments[index]?.match(/[A-Za-z_]\w*/g) ?? [];
  const shape = [...site.grid, ...site.block].join(" ");
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(shape));
}

/** Where a range begins is no size: it would have to be below its end under every setting. */
function beginning(planned: PlannedArgument, end: string | undefined): PlannedArgument {
  if (planned.kind !== "size" || end === undefined) return planned;
  return { kind: "value", name: planned.name, dtype: planned.dtype, value: rangeBegin, end };
}

function namesOf({ name, structure }: LaunchParameter): readonly string[] {
  return [name, ...(structure?.members.map((member) => member.name) ?? [])];
}

interface OnePlan {
  readonly planned: readonly PlannedArgument[];
  readonly laid: LaidArgument;
  readonly accessor?: PlannedAccessor;
}

/** A parameter whose type is the template's, with the type of the instance. */
function withType(parameter: LaunchParameter, instance: readonly string[]): LaunchParameter {
  const dtype = instanceDataType(instance[parameter.typeArgument ?? -1] ?? "");
  if (dtype === undefined) return parameter;
  const hasElements = parameter.isPointer || parameter.accessor !== undefined;
  return hasElements ? { ...parameter, element: { dtype, width: 1 } } : { ...parameter, dtype };
}

/**
 * A parameter with what the compiler made of its type: a name may stand for another type in each branch of an
 * `#if`.
 */
function withCompiledType(parameter: LaunchParameter, type: string | undefined): LaunchParameter {
  const { isPointer, structure, accessor } = parameter;
  const isOfParts = structure !== undefined || accessor !== undefined;
  const named = type === undefined || isOfParts ? undefined : namedElementType(type);
  if (type === undefined || named === undefined || /\*.*\*/.test(type)) return parameter;
  if (type.endsWith("*"))
    return {
      ...parameter,
      isPointer: true,
      isConst: parameter.isConst || type.startsWith("const "),
      element: named,
    };
  return isPointer || named.width > 1 ? parameter : { ...parameter, dtype: named.dtype };
}

function planOf(
  parameter: LaunchParameter,
  compiled: CompiledParameter | undefined,
  isFree: (name: string) => boolean,
): OnePlan | undefined {
  if (parameter.accessor !== undefined) return accessorPlan(parameter, parameter.accessor);
  if (parameter.structure !== undefined) {
    const plan = structurePlan(parameter, parameter.structure, isFree);
    if (parameter.isPointer && typeof plan.laid !== "string")
      return { ...plan, laid: { ...plan.laid, isPointed: true } };
    return parameter.structure.byteLength === compiled?.bytes ? plan : undefined;
  }
  if (parameter.record !== undefined)
    return { planned: [recordPlan(parameter, parameter.record)], laid: parameter.name };
  const planned = planArgument(parameter, compiled);
  if (planned === undefined) return undefined;
  const { name } = parameter;
  if (parameter.isOfRows === true)
    return {
      planned: [planned],
      laid: { name: `${name}_table`, byteLength: addressBytes, fields: [{ at: 0, name }], isPointed: true },
    };
  const isOne = planned.kind === "size" && compiled?.isIdle === true;
  return { planned: [isOne ? { ...planned, kind: "value", value: 1 } : planned], laid: parameter.name };
}

/** PyTorch's layout: the address, the sizes, the strides. Of these only the sizes are not known. */
function accessorPlan(
  { name, isConst, element = { dtype: "float32", width: 1 } }: LaunchParameter,
  { rank, indexBytes, slots }: NonNullable<LaunchParameter["accessor"]>,
): OnePlan {
  const dtype = indexBytes === 4 ? "int32" : "int64";
  const sizes = Array.from({ length: rank }, (_, axis) => accessorSize(name, axis));
  const accessor = { name, sizes, indexBytes, ...(slots && { slots }) };
  return {
    planned: [
      { kind: "buffer", name, isConst, type: element },
      ...sizes.map((size) => ({ kind: "size" as const, name: size, dtype: dtype as DataType })),
    ],
    laid: accessorLayout(accessor, sizes, (axis) => productOf(sizes.slice(axis + 1))),
    accessor,
  };
}

/** How many elements so many sizes have. */
export function productOf(sizes: readonly SizeExpression[]): SizeExpression {
  const [first = 1] = sizes;
  const factors = sizes.map((size) => (/^\w+$/.test(String(size)) ? size : `(${size})`));
  return sizes.length < 2 ? first : factors.join(" * ");
}

/** An accessor as a structure, for sizes and strides that are known. */
export function accessorLayout(
  { name, sizes, indexBytes, slots }: PlannedAccessor,
  values: readonly SizeExpression[],
  stride: (axis: number) => SizeExpression,
): LaidArgument {
  const dtype = indexBytes === 4 ? "int32" : "int64";
  const room = slots ?? sizes.length;
  const start = (index: number): number => addressBytes + index * indexBytes;
  const counted = [{ at: start(2 * room), value: sizes.length, dtype: "int32" }] as const;
  const end = slots === undefined ? start(2 * room) : start(2 * room) + countBytes;
  return {
    name,
    byteLength: Math.ceil(end / addressBytes) * addressBytes,
    fields: [
      { at: 0, name },
      ...values.map((value, axis) => ({ at: start(axis), value, dtype }) as const),
      ...sizes.map((_, axis) => ({ at: start(room + axis), value: stride(axis), dtype }) as const),
      ...(slots === undefined ? [] : counted),
    ],
  };
}

function structurePlan(
  { name }: LaunchParameter,
  { byteLength, members }: NonNullable<LaunchParameter["structure"]>,
  isFree: (name: string) => boolean,
): OnePlan {
  const placed = members.map((member) => {
    const own = isFree(member.name) ? member.name : `${name}_${member.name}`;
    return { at: member.at, argument: memberArgument({ ...member, name: own }) };
  });
  return {
    planned: placed.map(({ argument }) => argument),
    laid: { name, byteLength, fields: placed.map(({ at, argument }) => ({ at, name: argument.name })) },
  };
}

function memberArgument({
  name,
  isPointer,
  isConst,
  element,
  isEnumeration,
  value,
  pitch,
}: NonNullable<LaunchParameter["structure"]>["members"][number]): PlannedArgument {
  if (isPointer) return { kind: "buffer", name, isConst, type: element, ...(pitch && { pitch }) };
  if (value !== undefined) return { kind: "value", name, dtype: element.dtype, value };
  // Any other number would be none of its values.
  if (isEnumeration === true) return { kind: "value", name, dtype: element.dtype, value: 0 };
  return numberOf({ name, passed: undefined }, element.dtype);
}

function planArgument(
  { name, isPointer, isConst, element, dtype, passed, end, way }: LaunchParameter,
  compiled: ProbeParameter | undefined,
): PlannedArgument | undefined {
  if (isPointer) return { kind: "buffer", name, isConst, type: element ?? untyped };
  const { kind = "integer", bytes = 4 } = compiled ?? {};
  if (kind === "bytes") return undefined;
  const byBytes = kind === "float" ? floatByBytes : wholeByBytes;
  // Any other number would be none of its values.
  if (kind === "integer" && isOwnType(compiled?.type))
    return { kind: "value", name, dtype: byBytes[bytes] ?? "int32", value: passed ?? 0 };
  return numberOf({ name, passed, end, way }, dtype ?? byBytes[bytes] ?? "int32");
}

/** Whether a number has a type of the source's own, as the compiler names it: an enumeration. */
function isOwnType(type: string | undefined): boolean {
  return type !== undefined && /^[A-Za-z_][\w:]*$/.test(type) && namedElementType(type) === undefined;
}

function numberOf(
  {
    name,
    passed,
    end,
    way,
  }: Pick<LaunchParameter, "name"> & { readonly [Told in "passed" | "end" | "way"]?: number | undefined },
  dtype: DataType,
): PlannedArgument {
  if (dtype === "bool") return { kind: "value", name, dtype, value: passed ?? 1 };
  if (dtype.includes("float"))
    return passed === undefined
      ? { kind: "value", name, dtype, value: madeUpFloat(name), isMadeUp: true }
      : { kind: "value", name, dtype, value: passed };
  if (end !== undefined) return { kind: "value", name, dtype, value: passed ?? endOf(dtype, end) };
  if (way !== undefined) return { kind: "value", name, dtype, value: passed ?? way, isMadeUp: "chosen" };
  return { kind: "size", name, dtype };
}

/** Names of numbers that are strides. */
export function strideNames(planned: readonly PlannedArgument[]): ReadonlySet<string> {
  return new Set(planned.flatMap(({ kind, name }) => (kind === "size" && isStrideName(name) ? name : [])));
}

/** An instance with numbers that nothing in the sources tells is said to be chosen. */
export function withChosenInstance(
  compiled: ProbedKernel,
  { usual, sites }: Pick<CudaLaunchFacts, "usual" | "sites">,
  kernel: string,
): ProbedKernel {
  const numbers = (texts: readonly string[]): string =>
    texts.flatMap((text) => /^\d+/.exec(text) ?? []).join();
  const isNamed = sites.some(({ templateArguments }) => numbers(templateArguments) !== "");
  if (usual === undefined || isNamed || numbers(usual) !== numbers(compiled.instance)) return compiled;
  if (numbers(usual) === "" || compiled.instanceRemark !== undefined) return compiled;
  const instanceRemark = `no source says which instance of ${kernel} is meant: ${kernel}<${usual.join(", ")}> is taken. "instance" in a kernel spec's launch names another one; add it behind the kernel, as in "template __global__ void ${kernel}<${usual.join(", ")}>(parameters);".`;
  return { ...compiled, instanceRemark };
}
