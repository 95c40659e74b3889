import { cudaAccesses, type CudaAccess } from "../../../../../language/cuda/body/accesses";
import { type Form, formText } from "../../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../../language/cuda/body/loops";
import { isAssigned } from "../../../../../language/cuda/body/scope";
import { collapse, compact, isInside, partsOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { isNot, not, type RuleHold, type RuleInput } from "../../../rule";
import { threadsCooperate } from "../../elements/element-work";
import { cudaKernel, formIn, type KernelView } from "../../kernel";
import { elementLoop, turnPlace } from "./element-loop";

/** One of two kernels that a function launches one right after the other. */
export interface Launched {
  readonly view: KernelView;
  readonly call: SyntaxNode;
  readonly statement: SyntaxNode;
  /** What the host passes, by the kernel's parameters. */
  readonly passed: ReadonlyMap<string, string>;
}

/** Two launches of equal grids, of which the later loads what the same thread of the earlier has stored. */
export interface LaunchPair {
  /** The kernel that a rewrite stands in, and the other one. */
  readonly own: Launched;
  readonly other: Launched;
  readonly first: Launched;
  readonly second: Launched;
  /** The array through which the one hands on what the other needs, by the host's name. */
  readonly array: string;
  readonly store: CudaAccess;
  readonly loads: readonly CudaAccess[];
  /** The earlier kernel only stores the array, once, and the later one only loads it. */
  readonly once: boolean;
}

/** The kernel with a neighbour among the launches of its host function that hands on to it, or takes. */
export function launchPair(input: RuleInput, view: KernelView): LaunchPair | RuleHold {
  const [launch, ...more] = view.launches;
  const statement = launch?.call.parent;
  const block = statement?.parent;
  if (isJudgedAlone(input))
    return not("launch", "the kernel is launched by itself to judge it, without those beside it", view.line);
  if (launch === undefined || more.length > 0 || statement?.type !== "expression_statement" || !block)
    return not("launch", "the kernel is not launched once, by itself", launch?.call ?? view.line);
  const own = launchedAs(view, launch.call, statement);
  const all = partsOf(block);
  const place = all.findIndex(({ id }) => id === statement.id);
  const isLaunch = (node: SyntaxNode): boolean => !isLaunchCheck(node);
  const beside = [all.slice(0, place).findLast(isLaunch), all.slice(place + 1).find(isLaunch)].flatMap(
    (each) => each ?? [],
  );
  const found = beside.flatMap((each) => pairWith(input, own, each) ?? []);
  const pair = found.find((each): each is LaunchPair => !isNot(each));
  return (
    pair ??
    found.find(isNot) ??
    not("no-pattern", "no other kernel is launched right beside this one", launch.call)
  );
}

/** True where no host code runs: a launch with a grid of its own, as of the kernels of a torch extension. */
function isJudgedAlone({ spec: { run, program } }: RuleInput): boolean {
  return run.kind === "launch" && run.launch.grid !== undefined && program === undefined;
}

/** The kernel that a statement launches as a neighbour; undefined where it launches none. */
function pairWith(input: RuleInput, own: Launched, beside: SyntaxNode): LaunchPair | RuleHold | undefined {
  const launch = own.view.model.launches.find((each) => each.call.parent?.id === beside.id);
  if (launch === undefined) return undefined;
  const other = otherKernel(input, launch.site.kernel, { call: launch.call, statement: beside });
  if (isNot(other)) return other;
  const earlier = beside.startIndex < own.statement.startIndex;
  return handedOn({ own, other, first: earlier ? other : own, second: earlier ? own : other });
}

const runtimeCheck =
  /^(?:\w+\()?(?:::)?cuda(?:GetLastError|PeekAtLastError|DeviceSynchronize|StreamSynchronize)\(\w*\)\)?;$/;
const torchCheck = "C10_CUDA_KERNEL_LAUNCH_CHECK();";

/** A statement that only asks whether the launch before it went well, or waits for it. */
export function isLaunchCheck(node: SyntaxNode): boolean {
  const text = compact(node);
  return node.type === "expression_statement" && (runtimeCheck.test(text) || text === torchCheck);
}

function launchedAs(view: KernelView, call: SyntaxNode, statement: SyntaxNode): Launched {
  const given = partsOf(call.childForFieldName("arguments"));
  const parameters = view.kernel.facts.parameters.filter(({ name }) => !name.includes("."));
  const passed = parameters.flatMap(({ name }, place) => {
    const argument = given[place];
    return argument === undefined ? [] : [[name, collapse(argument.text)] as const];
  });
  return { view, call, statement, passed: new Map(passed) };
}

function otherKernel(
  input: RuleInput,
  name: string,
  { call, statement }: Pick<Launched, "call" | "statement">,
): Launched | RuleHold {
  const view = cudaKernel({ ...input, kernel: `${input.file}::${name.split("::").at(-1) ?? name}` });
  if (isNot(view)) return view;
  return view.launches.length === 1
    ? launchedAs(view, call, statement)
    : not("launch", `${name} is launched more than once`, call);
}

type Both = Pick<LaunchPair, "own" | "other" | "first" | "second">;

/**
 * Why templates cannot be joined: the body of the other kernel has to mean the same as a part of the own one,
 * in each of its instances.
 */
function unlikeTemplates({ own, other }: Both): RuleHold | undefined {
  const [mine, theirs] = [templateOf(own), templateOf(other)];
  if (theirs.parameters.length === 0) return undefined;
  const { line } = other.view;
  if (mine.parameters.join() !== theirs.parameters.join())
    return not("no-rewrite", "the kernels are templates of different parameters", line);
  const isNamed = theirs.given.length === theirs.parameters.length;
  return isNamed && mine.given.join() === theirs.given.join()
    ? undefined
    : not("no-rewrite", "the launches do not name the same arguments of both templates", other.call);
}

function templateOf({ view, call }: Launched): Record<"parameters" | "given", readonly string[]> {
  const launch = view.launches.find((each) => each.call.id === call.id);
  return {
    parameters: view.kernel.facts.templateParameters.map(({ text }) => collapse(text)),
    given: launch?.site.templateArguments ?? [],
  };
}

function handedOn(both: Both): LaunchPair | RuleHold {
  const { first, second } = both;
  const configured = [first, second].map(({ call }) =>
    compact(call.children.find(({ type }) => type === "kernel_call_syntax")),
  );
  if (configured[0] === undefined || configured[0] !== configured[1])
    return not("launch", "the kernels are not launched with the same grid and block", second.call);
  for (const { view } of [first, second]) {
    const held = threadsCooperate(view);
    if (held !== undefined) return held;
  }
  const unlike = unlikeTemplates(both);
  if (unlike !== undefined) return unlike;
  const crossed = crossedArray(first, second);
  if (crossed !== undefined) return crossed;
  return (
    handedArray(both) ??
    not("no-pattern", "the later kernel loads nothing that the earlier one has stored", second.call)
  );
}

/** An array that the earlier kernel stores to and the later one loads; what may stay in a register first. */
function handedArray(both: Both): LaunchPair | undefined {
  const { first, second } = both;
  const found: LaunchPair[] = [];
  for (const [parameter, array] of first.passed) {
    const own = accessesOf(first, parameter);
    const store = own.find(({ stores }) => stores);
    const taken = [...second.passed].find(([, text]) => text === array);
    const others = taken === undefined ? [] : accessesOf(second, taken[0]);
    const loads = others.filter((access) => access.loads);
    const once = own.length === 1 && store?.loads === false && others.every(({ stores }) => !stores);
    if (store !== undefined && loads.length > 0) found.push({ ...both, array, store, loads, once });
  }
  return found.find(({ once }) => once) ?? found[0];
}

function accessesOf({ view }: Launched, parameter: string): readonly CudaAccess[] {
  const { accesses, atomics } = cudaAccesses(view.kernel);
  return [...accesses, ...atomics].filter((access) => access.parameter === parameter);
}

/** An array that one of them stores to and both touch, unless each thread does at an element of its own. */
function crossedArray(first: Launched, second: Launched): RuleHold | undefined {
  for (const [parameter, array] of first.passed) {
    const taken = [...second.passed].find(([, text]) => text === array)?.[0];
    const own = accessesOf(first, parameter);
    const others = taken === undefined ? [] : accessesOf(second, taken);
    if (taken === undefined || ![...own, ...others].some(({ stores }) => stores)) continue;
    const places = [
      ...own.map((access) => placeOf(first, access)),
      ...others.map((access) => placeOf(second, access)),
    ];
    const [place] = places;
    const escapes = isHandedOn(first, parameter, own) || isHandedOn(second, taken, others);
    if (escapes || place === undefined || places.some((each) => each !== place))
      return not("dependence", `threads of both kernels touch different elements of ${array}`, second.call);
  }
  return undefined;
}

function isHandedOn({ view }: Launched, parameter: string, accesses: readonly CudaAccess[]): boolean {
  return usesOf(view.body, parameter).some((use) => !accesses.some(({ node }) => isInside(use, node)));
}

/** The element by what the host passes; undefined where it is not the thread's own. */
function placeOf(
  { view, passed }: Launched,
  { node, indexNode, base, parameter }: CudaAccess,
): string | undefined {
  if (indexNode === undefined || base !== parameter) return undefined;
  const form = formIn(view, indexNode);
  if (elementLoop(view) !== undefined) return turnPlace(view, form, passed);
  const own = form.get("threadIdx.x") === 1 && [...form.keys()].some((key) => key.includes("blockIdx.x"));
  return own ? toldPlace(view, { form, node, passed }) : undefined;
}

/** An index by what the host passes, with the turns of loops; undefined for what else changes. */
function toldPlace(
  view: KernelView,
  { form, node, passed }: { readonly form: Form; readonly node: SyntaxNode } & Pick<Launched, "passed">,
): string | undefined {
  const loops = countedLoops(view.body).filter(({ body }) => isInside(node, body));
  const turnsOf = ({ start, comparison, bound, step }: CountedLoop): string => {
    const [first, last, amount] = [start, bound, step.amount].map((each) =>
      each === undefined ? "1" : namesTold(formText(formIn(view, each)), passed),
    );
    return `(from ${first} ${comparison} ${last} ${step.operator} ${amount})`;
  };
  const names = new Map(loops.map((loop) => [loop.variable, turnsOf(loop)]));
  const text = formText(form);
  const isSteady = (text.match(/[A-Za-z_]\w*/g) ?? []).every(
    (name) => names.has(name) || !isAssigned(view.body, name),
  );
  return isSteady ? namesTold(text, new Map([...passed, ...names])) : undefined;
}

function namesTold(text: string, told: ReadonlyMap<string, string>): string {
  return text.replace(/[A-Za-z_][\w.]*/g, (word) => told.get(word) ?? word);
}
