import { compact, enclosing, partsOf } from "../../../../language/query";
import type { TritonKernel } from "../../../../language/triton/kernels";
import type { TritonModel } from "../../../../language/triton/model";
import type { SyntaxNode } from "../../../../language/tree";
import { not, type RuleHold } from "../../rule";

/** What stands around `@triton.jit`, and what it decides. */
export interface Decoration {
  readonly tuned: boolean;
  /** What the autotuner chooses from; undefined where there is none, or it is not passed. */
  readonly list: SyntaxNode | undefined;
  /** `triton.Config(…)` that stands first in the list as it is written: the one that is measured. */
  readonly configuration: SyntaxNode | undefined;
  /** Parameters and options whose values nobody reads off: heuristics make them, or a list made elsewhere. */
  readonly decided: ReadonlySet<string>;
}

/** Options of a launch that a configuration may set. */
const options = ["num_warps", "num_stages", "num_ctas", "maxnreg"];

/** Arguments of an autotuner that leave its list as it is. */
const harmless = new Set([
  "configs",
  "key",
  "reset_to_zero",
  "restore_value",
  "warmup",
  "rep",
  "use_cuda_graph",
  "cache_results",
]);

/** Reads the decorators of a kernel; a guard's answer where one of them is not known. */
export function decorationOf(
  { names }: TritonModel,
  { decorators, facts }: TritonKernel,
): Decoration | RuleHold {
  const named = (node: SyntaxNode, name: string): boolean =>
    names.is(node.type === "call" ? node.childForFieldName("function") : node, name);
  const tuners = decorators.filter((node) => named(node, "autotune"));
  const heuristics = decorators.filter((node) => named(node, "heuristics"));
  const [strange] = decorators.filter(
    (node) => !named(node, "jit") && !tuners.includes(node) && !heuristics.includes(node),
  );
  const line = facts.nameRange.start.line + 1;
  const odd = strange ?? tuners[1];
  if (odd !== undefined || decorators.length - tuners.length - heuristics.length !== 1)
    return not("launch", `${compact(odd ?? decorators[0])} and the other decorators choose the launch`, line);
  const made = heuristics.map(heuristicsIn);
  const unread = made.findIndex((each) => each === undefined);
  if (unread >= 0)
    return not("launch", `${compact(heuristics[unread])} makes values that the file does not name`, line);
  const [tuner] = tuners;
  const list = tuner && listOf(tuner);
  const configuration = list && writtenFirst(names, list);
  const constants = facts.parameters.filter(({ constexpr }) => constexpr).map(({ name }) => name);
  const chosen = tuner === undefined || configuration !== undefined ? [] : [...constants, ...options];
  const decided = new Set([...made.flatMap((each) => [...(each?.keys() ?? [])]), ...chosen]);
  return { tuned: tuner !== undefined, list, configuration, decided };
}

/** The names that `@triton.heuristics({"NAME": lambda args: …})` gives values, with what makes them. */
export function heuristicsIn(decorator: SyntaxNode): ReadonlyMap<string, SyntaxNode> | undefined {
  const [given] = partsOf(decorator.childForFieldName("arguments"));
  const dictionary = given?.type === "keyword_argument" ? given.childForFieldName("value") : given;
  if (dictionary?.type !== "dictionary") return undefined;
  const entries = partsOf(dictionary).map((pair): readonly [string, SyntaxNode] | undefined => {
    const [key, value] = [pair.childForFieldName("key"), pair.childForFieldName("value")];
    return key?.type === "string" && value ? [key.text.replace(/["']/g, ""), value] : undefined;
  });
  return entries.every((entry) => entry !== undefined) ? new Map(entries) : undefined;
}

/** The autotuner's list; undefined where something else may take configurations out of it. */
function listOf(tuner: SyntaxNode): SyntaxNode | undefined {
  const given = partsOf(tuner.childForFieldName("arguments"));
  const nameOf = (node: SyntaxNode): string => node.childForFieldName("name")?.text ?? "";
  const named = given.filter(({ type }) => type === "keyword_argument");
  if (named.some((node) => !harmless.has(nameOf(node)))) return undefined;
  const configs = named.find((node) => nameOf(node) === "configs")?.childForFieldName("value");
  return configs ?? given.find(({ type }) => type !== "keyword_argument");
}

function writtenFirst(names: TritonModel["names"], list: SyntaxNode): SyntaxNode | undefined {
  const [first] = list.type === "list" ? partsOf(list) : [];
  return first?.type === "call" && names.is(first.childForFieldName("function"), "Config")
    ? first
    : undefined;
}

/** True for a node that stands in a decorator of the kernel, so that names of the host mean nothing there. */
export function isInDecorator(node: SyntaxNode): boolean {
  return enclosing(node, "decorator") !== undefined;
}
