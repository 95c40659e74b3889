import { parseSizeExpression } from "../../../../workload/size-expression";
import type { SizeExpression } from "../../../../workload/spec";
import type { LaunchSite } from "../../../facts";
import type { SyntaxNode } from "../../../tree";
import { constantNamed, fileConstants } from "../../constants";
import { type CudaLaunch, cudaLaunches } from "../../launches";

/** A parameter of a kernel; `rank`: of an accessor. */
interface HostParameter {
  readonly name: string;
  readonly rank: number | undefined;
}

/** A launch, and the text of the function around it. */
type HostLaunch = Pick<CudaLaunch, "site" | "names"> & {
  readonly host: { readonly text: string } | undefined;
};

/** What host code says of the tensors that it hands a kernel as accessors. */
export interface HostTensors {
  /** The launch, its grid in sizes of accessors and numbers of the kernel where host code tells them. */
  readonly site: LaunchSite;
  /** Sizes of accessors that are others, numbers of the kernel, or follow from them. */
  readonly sizes: ReadonlyMap<string, SizeExpression>;
}

/** The name of a size of an accessor. */
export function accessorSize(name: string, axis: number): string {
  return `${name}_size${axis}`;
}

/** Launches of a kernel in a text. */
export function launchesOf(root: SyntaxNode, kernel: string): readonly CudaLaunch[] {
  return cudaLaunches(root, fileConstants(root)).filter(({ site }) => site.kernel === kernel);
}

/** Launches with what host code says of the tensors that they pass. */
export function withHostTensors(
  launches: readonly CudaLaunch[],
  parameters: readonly { readonly name: string; readonly accessor?: { readonly rank: number } }[],
): { readonly sites: readonly LaunchSite[]; readonly accessorSizes: HostTensors["sizes"] } {
  const plain = parameters.map(({ name, accessor }) => ({ name, rank: accessor?.rank }));
  const found = launches.map((launch) => hostTensors(launch, plain));
  return { sites: found.map(({ site }) => site), accessorSizes: found[0]?.sizes ?? new Map() };
}

/**
 * Reads what a launch's tensors were made like: `empty_like(x)`, `torch::zeros({x.size(0), n})`,
 * `x.sizes()`, and which sizes are asserted to be equal. A tensor that the function was handed has sizes of
 * its own.
 */
export function hostTensors(
  { site, host, names }: HostLaunch,
  parameters: readonly HostParameter[],
): HostTensors {
  const reader = new TensorReader((name) => constantNamed(names, name)?.text, numbersOf(site, parameters));
  const tensors = parameters.flatMap(({ name, rank }, index) =>
    rank === undefined ? [] : [{ name, rank, shape: reader.shapeOf(site.arguments[index] ?? name) }],
  );
  for (const { name, rank, shape } of tensors) if (typeof shape === "string") reader.take(name, shape, rank);
  reader.readEqual(host?.text ?? "");
  const sizes = new Map(tensors.flatMap((tensor) => sizesOf(tensor, reader)));
  const grid = site.grid.map((each) => reader.expression(each));
  const isKnown = tensors.length > 0 && grid.every((each) => reader.isOfKernel(each));
  return { site: isKnown && grid.length > 0 ? { ...site, grid, isInSizes: true } : site, sizes };
}

/** A tensor that is passed: its name if it was not made here, else its sizes as they stand. */
interface PassedTensor {
  readonly name: string;
  readonly rank: number;
  readonly shape: string | readonly string[];
}

/** Sizes of a tensor that are others, or follow from numbers. */
function sizesOf(
  { name, rank, shape }: PassedTensor,
  reader: TensorReader,
): readonly (readonly [string, SizeExpression])[] {
  return Array.from({ length: rank }, (_, axis) => accessorSize(name, axis)).flatMap((own, axis) => {
    const listed = shape.length === rank ? (shape[axis] ?? own) : own;
    const value = reader.sizeOf(typeof shape === "string" ? `${shape}.${axis}` : listed, own);
    return value === undefined || value === own ? [] : [[own, value] as const];
  });
}

/** Names by which host code passes numbers, each with the parameter's. */
function numbersOf(
  { arguments: passed }: LaunchSite,
  parameters: readonly HostParameter[],
): ReadonlyMap<string, string> {
  return new Map(
    parameters.flatMap(({ name, rank }, index) => {
      const text = passed[index];
      return rank === undefined && text !== undefined && /^\w+$/.test(text) ? [[text, name] as const] : [];
    }),
  );
}

const equalShapes = /\b(\w+)\s*\.\s*sizes\s*\(\s*\)\s*==\s*(\w+)\s*\.\s*sizes\s*\(\s*\)/g;
const equalSizes = /\b(\w+)\s*\.\s*size\s*\(\s*(\d+)\s*\)\s*==\s*(\w+)\s*\.\s*size\s*\(\s*(\d+)\s*\)/g;
/** Methods that give the same tensor, or one of the same shape, or look at one. */
const kept = "contiguous|clone|detach|cuda|to|toType|zero_|fill_";
const looking = String.raw`(?:generic_)?packed_accessor(?:32|64)?|accessor`;
const keeping = new RegExp(
  String.raw`\s*\.\s*(?:template\s+)?(?:${looking}|${kept})\s*(?:<[^()]*>)?\s*\((?:[^()]|\([^()]*\))*\)$`,
);
const like = /^(?:(?:torch|at)::)?(?:empty|zeros|ones|full|rand|randn)_like\s*\((.*)\)$/s;
const made = /^(?:(?:torch|at)::|\w+\s*\.\s*new_)?(?:empty|zeros|ones|full|rand|randn)\s*\((.*)\)$/s;
const listed =
  /^(?:(?:c10|at|torch)::)?(?:IntArrayRef|IntList)?\s*(?:\(\s*\{(.*)\}\s*\)|\{(.*)\}|\((.*)\))$/s;
const shapeOfOther = /^(.*?)\s*\.\s*sizes\s*\(\s*\)$/s;
const whole = "int|long|size_t|int64_t|int32_t|unsigned";
const cast = new RegExp(String.raw`\bstatic_cast\s*<[\w\s:]+>|\(\s*(?:const\s+)?(?:${whole})\s*\)`, "g");
/** A size of a tensor, or a name. */
const axisOf = String.raw`\b(\w+)\s*\.\s*(?:size\s*\(\s*(\d+)\s*\)|sizes\s*\(\s*\)\s*\[\s*(\d+)\s*\])`;
const word = new RegExp(String.raw`${axisOf}|(?<![\w.:])([A-Za-z_]\w*)(?!\s*[(\w:.])`, "g");
/** Names that are followed one behind the other. */
const mostSteps = 8;

/** Follows what host code calls its tensors and sizes. */
class TensorReader {
  /** By `tensor.axis`, and by names of host code, the size of an accessor that it is. */
  private readonly known = new Map<string, string>();
  private readonly same = new Map<string, string>();

  constructor(
    private readonly named: (name: string) => string | undefined,
    private readonly numbers: ReadonlyMap<string, string>,
  ) {}

  /** What a tensor is: one that is not made here, by its name, or its sizes as they stand. */
  shapeOf(text: string, steps = mostSteps): string | readonly string[] {
    const plain = withoutKeeping(text.trim());
    if (steps === 0) return plain;
    const value = /^\w+$/.test(plain) ? this.named(plain) : undefined;
    if (value !== undefined) return this.shapeOf(value, steps - 1);
    const [, other] = like.exec(plain) ?? [];
    if (other !== undefined) return this.shapeOf(parts(other)[0] ?? "", steps - 1);
    const [, inside] = made.exec(plain) ?? [];
    return inside === undefined ? plain : this.listOf(parts(inside)[0] ?? "", steps - 1);
  }

  /** The shape that a tensor is made with: a list, or that of another one. */
  private listOf(text: string, steps: number): string | readonly string[] {
    const value = /^\w+$/.test(text) ? this.named(text) : undefined;
    if (value !== undefined && steps > 0) return this.listOf(value, steps - 1);
    const [, other] = shapeOfOther.exec(text) ?? [];
    if (other !== undefined) return this.shapeOf(other, steps);
    const [, first, second, third] = listed.exec(text) ?? [];
    return parts(first ?? second ?? third ?? text);
  }

  /** The sizes of an accessor stand for those of the tensor from here on, if none do yet. */
  take(accessor: string, tensor: string, rank: number): void {
    for (let axis = 0; axis < rank; axis += 1) this.own(`${tensor}.${axis}`, accessorSize(accessor, axis));
  }

  /** What a function asserts to be equal. */
  readEqual(text: string): void {
    for (const [, one = "", other = ""] of text.matchAll(equalShapes)) this.join(one, other);
    for (const [, one, axis, other, otherAxis] of text.matchAll(equalSizes))
      this.joinSize(`${one}.${axis}`, `${other}.${otherAxis}`);
  }

  /** Two tensors have one shape. */
  private join(one: string, other: string): void {
    for (const key of this.known.keys()) {
      const [tensor, axis] = key.split(".");
      if (tensor === one) this.joinSize(key, `${other}.${axis}`);
    }
  }

  /** Two sizes are one: the later accessor's is that of the earlier one. */
  private joinSize(one: string, other: string): void {
    const sizes = [this.known.get(one), this.known.get(other)];
    const order = [...this.known.values()];
    const [first, second] = sizes.toSorted((a, b) => order.indexOf(a ?? "") - order.indexOf(b ?? ""));
    if (first !== undefined && second !== undefined && first !== second) this.same.set(second, first);
  }

  /** What a size is in those of accessors and the kernel's numbers: `own` where nothing stands for it yet. */
  sizeOf(text: string, own: string): SizeExpression | undefined {
    const key = text.trim();
    const expression = /^\w+\.\d+$/.test(key) ? this.word(key, own) : this.expression(key, own);
    if (/^\d+$/.test(expression)) return Number(expression);
    return this.isOfKernel(expression) ? expression : undefined;
  }

  /** An expression of host code with what its names stand for, as far as that is known. */
  expression(text: string, own?: string, steps = mostSteps): string {
    const plain = text.replace(cast, " ").trim();
    const isOne = plain.replace(word, "") === "";
    return plain.replace(word, (...[written, tensor, axis, place, name]: string[]) => {
      if (name === undefined) return this.sizeAt(tensor ?? "", axis ?? place ?? "", isOne ? own : undefined);
      const number = this.numbers.get(name);
      if (number !== undefined) return number;
      const value = steps === 0 ? undefined : this.named(name);
      if (value === undefined) return this.word(name, isOne ? own : undefined) || (written ?? name);
      const inner = this.expression(value, isOne ? own : undefined, steps - 1);
      return isOne || /^\w+$/.test(inner) ? inner : `(${inner})`;
    });
  }

  private sizeAt(tensor: string, axis: string, own: string | undefined): string {
    const shape = this.shapeOf(tensor);
    if (typeof shape === "string") return this.word(`${shape}.${axis}`, own);
    const size = shape[Number(axis)];
    return size === undefined ? `${tensor}.${axis}` : this.expression(size, own);
  }

  private word(key: string, own: string | undefined): string {
    if (own !== undefined) this.own(key, own);
    const found = this.known.get(key);
    return found === undefined ? key : (this.same.get(found) ?? found);
  }

  private own(key: string, size: string): void {
    if (!this.known.has(key)) this.known.set(key, size);
  }

  /** Whether an expression names sizes of accessors and numbers of the kernel alone. */
  isOfKernel(expression: string): boolean {
    if (!parseSizeExpression(expression).ok) return false;
    const names = expression.match(/[A-Za-z_]\w*/g) ?? [];
    const own = new Set([...this.known.values(), ...this.numbers.values()]);
    return names.every((name) => own.has(name));
  }
}

function withoutKeeping(text: string): string {
  const shorter = text.replace(keeping, "");
  return shorter === text ? text : withoutKeeping(shorter);
}

/** The parts between the commas of a list, what stands in brackets as one. */
function parts(text: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, letter] of [...text].entries()) {
    if ("([{".includes(letter)) depth += 1;
    if (")]}".includes(letter)) depth -= 1;
    if (letter !== "," || depth > 0) continue;
    found.push(text.slice(start, index).trim());
    start = index + 1;
  }
  return [...found, text.slice(start).trim()].filter((each) => each !== "");
}
