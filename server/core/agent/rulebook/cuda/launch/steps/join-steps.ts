import { collapse, lineOf, usesOf } from "../../../../../language/query";
import type { SyntaxNode } from "../../../../../language/tree";
import { termOf } from "../../../../../timing/bound";
import { modelConstants } from "../../../../../timing/gpu-model";
import { editedTree, freshName, indentOf, replaceNode, type TextEdit } from "../../../edits";
import { isTimedLoop } from "../../../diagnosis/hosts/host-loops";
import { evidenceFor, shareSaved } from "../../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../../rule";
import { defineRule, fillSentence, threshold } from "../../../rule-table";
import { cudaKernel, type KernelView } from "../../kernel";
import { sharedElements } from "./own-elements";
import { type StepLoop, stepLoop } from "./step-loop";

/**
 * Takes the loop of the host over many short launches into the kernel, where each thread touches its own
 * elements alone of all that is stored: then no step waits for what other threads did in the one before.
 */
export const joinSteps = defineRule("cuda-join-steps", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const steps = stepLoop(view);
  if (isNot(steps)) return steps;
  const { value, gain } = gapsOf(input, steps);
  if (value < threshold(entry, "launchesLeast") || gain < threshold(entry, "shareLeast"))
    return not("no-evidence", "the gaps between the launches cost little", steps.launch.call);
  const held = fixedName(view) ?? sharedElements(input, view, steps);
  if (held !== undefined) return { ...held, gain };
  const facts = { file: input.file, line: lineOf(steps.launch.call), counter: "launches" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, joined(view, steps)),
    hypothesis: fillSentence(entry.hypothesis, { kernel: view.kernel.facts.name }),
    evidence: evidenceFor(entry, { ...facts, value, ideal: 1 }),
    gain,
  };
});

/** How often the kernel is launched one time after the other, and what the gaps between take of the time. */
export function gapsOf(
  input: RuleInput,
  { loop, launch }: Pick<StepLoop, "loop" | "launch">,
): { readonly value: number; readonly gain: number } {
  const { bound, spec } = input;
  const counted = { value: launchesOf(input), gain: shareSaved(termOf(bound, "launch"), bound.nanoseconds) };
  if (spec.program === undefined || spec.run.kind !== "launch" || isTimedLoop(loop.loop)) return counted;
  // A recording of a program prices one launch after the other: the gap behind each is not in it.
  const gap = modelConstants.launchGapNanoseconds;
  const recorded = spec.shapes.length;
  const alone = launch.host === undefined || recorded < 2;
  return alone ? counted : { value: recorded, gain: shareSaved(gap, gap + bound.nanoseconds) };
}

/** Launches of the kernel in one run, or of all kernels where those of one are not counted. */
function launchesOf({ launches = [], kernel, bound }: RuleInput): number {
  const own = launches.filter((each) => each.kernel === undefined || each.kernel.includes(kernel));
  const counted = own.reduce((sum, { times }) => sum + times, 0);
  const gaps = Math.round(termOf(bound, "launch") / modelConstants.launchGapNanoseconds);
  return counted > 1 ? counted : 1 + gaps;
}

/** A kernel whose head cannot be changed: a template, one of other linkage, one that is named elsewhere. */
function fixedName({ kernel, model }: KernelView): RuleHold | undefined {
  const { definition, facts } = kernel;
  if (facts.templateParameters.length > 0) return not("no-rewrite", "the kernel is a template", definition);
  if (headOf(definition, facts.name) === undefined)
    return not("no-rewrite", "the kernel's head has more than its name and its bounds", definition);
  const [, , third] = usesOf(model.root, facts.name);
  return third && not("fixed-elsewhere", `${facts.name} is named elsewhere`, third);
}

/** What stands in front of the name of a kernel of the file, and its parameters; undefined for templates. */
export function headOf(
  definition: SyntaxNode,
  name: string,
): { readonly front: string; readonly list: SyntaxNode; readonly name: SyntaxNode } | undefined {
  const declarator = definition.descendantsOfType("function_declarator")[0];
  const list = declarator?.childForFieldName("parameters");
  const own = declarator?.childForFieldName("declarator");
  if (!list || own?.text !== name || definition.parent?.type !== "translation_unit") return undefined;
  let root = definition;
  while (root.parent !== null) root = root.parent;
  const front = root.text.slice(definition.startIndex, own.startIndex);
  const bounds = /__launch_bounds__ ?\([^()]*\)/;
  const words = collapse(front.replace(bounds, "")).replace(/^static /, "");
  return words === "__global__ void" ? { front, list, name: own } : undefined;
}

function joined(view: KernelView, { loop, launch, passed, turn }: StepLoop): readonly TextEdit[] {
  const { kernel, source } = view;
  const { definition, facts } = kernel;
  const head = headOf(definition, facts.name);
  if (head === undefined) return [];
  const step = freshName(source, `stepOf_${facts.name}`);
  const [first, end, at] = ["firstStep", "endStep", "step"].map((name) => freshName(source, name)) as [
    string,
    string,
    string,
  ];
  const type = typeOf(view, turn);
  const handed = [...passed.keys()].map((name) => (name === turn ? at : name)).join(", ");
  const list = head.list.text.replace(/^\(\s*/, "(").replace(/\s*\)$/, "");
  const text = [
    "",
    "",
    `${head.front}${facts.name}${list}, ${type} ${first}, ${type} ${end}) {`,
    `  for (${type} ${at} = ${first}; ${at} < ${end}; ++${at}) ${step}(${handed});`,
    "}",
  ].join("\n");
  const limit = loop.comparison === "<=" ? `(${loop.bound.text}) + 1` : loop.bound.text;
  const configuration = launch.call.children.find(({ type: kind }) => kind === "kernel_call_syntax");
  const passedOn = [...passed].map(([name, node]) => (name === turn ? loop.start.text : node.text));
  const given = [...passedOn, loop.start.text, limit].join(", ");
  const called = `${facts.name}${configuration?.text ?? ""}(${given});`;
  const indent = indentOf(source, loop.loop);
  return [
    {
      start: definition.startIndex,
      end: head.name.startIndex,
      text: "static __device__ __forceinline__ void ",
    },
    replaceNode(head.name, step),
    { start: definition.endIndex, end: definition.endIndex, text },
    replaceNode(loop.loop, `if (${loop.start.text} < ${limit})\n${indent}  ${called}`),
  ];
}

/** The type of the parameter that gets the turn's number. */
function typeOf({ kernel }: KernelView, turn: string | undefined): string {
  const type = kernel.facts.parameters.find(({ name }) => name === turn)?.type;
  return type?.replace(/\bconst\b/g, "").trim() || "int";
}
