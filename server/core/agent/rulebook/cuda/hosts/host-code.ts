import { launchCalls } from "../../../../language/cuda/launches";
import { collapse, fieldText, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import type { KernelView } from "../kernel";

/** A call of the CUDA runtime that is a statement by itself, or checked by a macro or function around it. */
export interface RuntimeCall {
  readonly call: SyntaxNode;
  readonly statement: SyntaxNode;
  /** Without a leading `::`. */
  readonly name: string;
  readonly given: readonly SyntaxNode[];
}

/** What is found in the functions that launch the kernel, in order; why nothing is where it is in none. */
export function inHosts<Found extends object>(
  view: KernelView,
  find: (host: SyntaxNode) => Found | RuleHold,
): readonly [Found, ...Found[]] | RuleHold {
  const answers = hostsOf(view).map(find);
  const [first, ...others] = answers.flatMap((each) => (isNot(each) ? [] : [each]));
  if (first !== undefined) return [first, ...others];
  const [held = not("no-pattern", "no function of the file launches the kernel", view.line)] =
    answers.filter(isNot);
  return held;
}

/** The functions that launch the kernel, each once. */
function hostsOf({ launches }: KernelView): readonly SyntaxNode[] {
  const hosts = launches.flatMap(({ host }) => host ?? []);
  return hosts.filter((host, index) => hosts.findIndex(({ id }) => id === host.id) === index);
}

/** Calls of the runtime in a part of host code, in order; without `statement` where they are parts of one. */
export function runtimeCalls(
  part: SyntaxNode,
): readonly (Omit<RuntimeCall, "statement"> & Partial<Pick<RuntimeCall, "statement">>)[] {
  return part.descendantsOfType("call_expression").flatMap((call) => {
    const name = collapse(fieldText(call, "function")).replace(/^::/, "");
    if (!/^cuda[A-Z]\w*$/.test(name)) return [];
    const statement = statementOf(call);
    return [
      { call, name, given: partsOf(call.childForFieldName("arguments")), ...(statement && { statement }) },
    ];
  });
}

/** Those of a name that are statements of their own. */
export function runtimeStatements(part: SyntaxNode, name: RegExp): readonly RuntimeCall[] {
  return runtimeCalls(part).flatMap(({ statement, ...each }) =>
    statement !== undefined && name.test(each.name) ? [{ ...each, statement }] : [],
  );
}

function statementOf(call: SyntaxNode): SyntaxNode | undefined {
  const list = call.parent;
  const isChecked = list?.type === "argument_list" && partsOf(list).length === 1;
  const whole = isChecked && list.parent?.type === "call_expression" ? list.parent : call;
  return whole.parent?.type === "expression_statement" ? whole.parent : undefined;
}

/** Statements that make the host wait for all that was launched on the default stream. */
export const waitingCall = /^cuda(?:Device|Stream|Thread)Synchronize$/;

const sharing =
  /\b(?:cuda(?:MallocManaged|HostAlloc|MallocHost|HostRegister|HostGetDevicePointer)|__managed__)\b/;
const measuring = /\b(?:cudaEvent\w+|chrono|clock\w*|gettimeofday|omp_\w+|nvtx\w*|cudaProfiler\w+)\b/;
/** Streams other than as a parameter, graphs, and threads of the host. */
const ordering =
  /\b(?:cudaStream(?!_t|Synchronize|Legacy|Default|PerThread)\w+|cuda(?:Graph|LaunchHostFunc)\w*)\b/;
const threads = /\b(?:std::(?:j?thread|async)|pthread_\w+)\b/;

/**
 * Why the order of host code and GPU cannot be changed in a function; undefined where all its work goes to
 * one stream in order, nothing but copies that wait takes results to the host, and nobody takes times.
 */
export function orderMatters({ model }: KernelView, host: SyntaxNode): RuleHold | undefined {
  if (sharing.test(model.root.text))
    return not("dependence", "host code and kernels share memory, which a wait may be for", host);
  const word = [measuring, ordering, threads].flatMap((words) => words.exec(host.text)?.[0] ?? [])[0];
  if (word !== undefined)
    return not("dependence", `${word}: the order of host code and GPU may matter`, host);
  const late = runtimeCalls(host).find(
    ({ name, given }) =>
      /^cudaMemcpy\w*Async$/.test(name) &&
      !given.some(({ text }) => /\bcudaMemcpyDeviceToDevice$/.test(text)),
  );
  if (late !== undefined)
    return not("dependence", `${late.name} uses memory of the host until something waits`, late.call);
  const handed = new Set(launchArguments(host));
  const other = host
    .descendantsOfType("call_expression")
    .find((call) => isOthers(call) && partsOf(call.childForFieldName("arguments")).some(isHanded));
  function isHanded({ text }: SyntaxNode): boolean {
    return handed.has(collapse(text));
  }
  return other && not("dependence", `${fieldText(other, "function")} is handed memory of the GPU`, other);
}

/** A call that is neither the runtime's nor a launch, nor a check around one of these. */
function isOthers(call: SyntaxNode): boolean {
  const name = collapse(fieldText(call, "function"));
  return !/^(?:(?:::)?cuda[A-Z]\w*|(?:std::)?swap)$/.test(name) && !call.children.some(isConfiguration);
}

function isConfiguration({ type }: SyntaxNode): boolean {
  return type === "kernel_call_syntax";
}

/** Plain names that launches in the function are handed: its pointers are among them. */
function launchArguments(host: SyntaxNode): readonly string[] {
  return launchCalls(host).flatMap(({ call }) =>
    partsOf(call.childForFieldName("arguments")).map(({ text }) => collapse(text)),
  );
}

/**
 * The stream that all launches of the function use, as its text: `0` for the default one; a guard's answer
 * where they use several.
 */
export function streamOf(host: SyntaxNode): string | RuleHold {
  const streams = launchCalls(host).map(({ call }) => {
    const configuration = call.children.find(isConfiguration);
    const stream = collapse(partsOf(configuration)[3]?.text ?? "0");
    return /^(?:0|nullptr|NULL|cudaStreamLegacy|cudaStreamDefault)$/.test(stream) ? "0" : stream;
  });
  const [stream = "0", ...others] = streams;
  return others.every((other) => other === stream)
    ? stream
    : not("dependence", "launches of several streams are ordered by what waits", host);
}

/** Whether a part of host code launches. */
export function launchesIn(part: SyntaxNode): boolean {
  return launchCalls(part).some(({ call }) => isInside(call, part));
}

/** What saving so many nanoseconds of host calls gains, as a share of the kernel's time and them. */
export function hostGain({ bound }: RuleInput, saved: number): number {
  return saved / (bound.nanoseconds + saved);
}
