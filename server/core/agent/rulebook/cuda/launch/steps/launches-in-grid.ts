import { cudaAccesses } from "../../../../../language/cuda/body/accesses";
import { constantValue } from "../../../../../language/cuda/constants";
import { calledFunctions, mentionIn } from "../../../../../language/cuda/body/threads";
import { collapse, enclosing, lineOf, usesOf } from "../../../../../language/query";
import { editedTree } from "../../../edits";
import { evidenceFor, targetGpu } from "../../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../../rule";
import { defineRule, fillSentence, threshold } from "../../../rule-table";
import { cudaKernel, type KernelView } from "../../kernel";
import { extentsOf, hostCodeRuns, specFixesGrid, writtenGrid } from "../grid-edit";
import { gapsOf } from "./join-steps";
import { launchedOnce, type TurnAxis } from "./launched-once";
import { storesElsewhere } from "./own-elements";
import { pointerValues, type TurnLaunch, turnLaunch } from "./turn-launch";

/**
 * One launch with an axis of the grid for the turns of the host's loop, where each works on a part of its
 * own: the turns run beside each other, and fill the GPU together.
 */
export const launchesInGrid = defineRule("cuda-launches-in-grid", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const turns = turnLaunch(view);
  if (isNot(turns)) return turns;
  const { launch, loop } = turns;
  const gaps = gapsOf(input, turns);
  const launches = Math.max(gaps.value, turnsOf(input, turns));
  const gain = Math.max(gaps.gain, idleShare(input));
  if (launches < threshold(entry, "launchesLeast") || gain < threshold(entry, "shareLeast"))
    return not(
      "no-evidence",
      "the launches of the loop fill the GPU, and the gaps between cost little",
      loop.loop,
    );
  if (!hostCodeRuns(input) || specFixesGrid(input, view))
    return {
      ...not("fixed-elsewhere", "the host code does not run when the kernel is judged", launch.call),
      gain,
    };
  const held = needsTurnsBefore(view, turns);
  if (held !== undefined) return { ...held, gain };
  const axis = freeAxis(view, turns);
  const edits = isNot(axis) ? axis : launchedOnce(view, turns, axis);
  if (isNot(edits)) return { ...edits, gain };
  const facts = { file: input.file, line: lineOf(launch.call), counter: "launches" as const };
  const kernel = view.kernel.facts.name;
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { kernel }),
    evidence: evidenceFor(entry, { ...facts, value: launches, ideal: 1 }, { kernel }),
    gain,
  };
});

/** How many turns the loop has, where that is written; a program's record has one launch for all alike. */
function turnsOf({ spec }: RuleInput, { launch, loop }: TurnLaunch): number {
  const [start, end] = [loop.start, loop.bound].map(({ text }) => constantValue(text, launch.names));
  if (start !== undefined && end !== undefined) return end - start;
  return spec.program === undefined ? 1 : 2;
}

/** The share of the GPU's multiprocessors that one launch leaves without a block. */
function idleShare(input: RuleInput): number {
  const { launches = [], kernel } = input;
  const own = launches.filter((each) => each.kernel === undefined || each.kernel.includes(kernel));
  const blocks = own.map((each) => each.blocks);
  const most = targetGpu(input).multiprocessors;
  return blocks.length === 0 ? 0 : 1 - Math.min(1, Math.max(...blocks) / most);
}

/** Why a turn may need what one before it has left, or write what it writes. */
function needsTurnsBefore(view: KernelView, { passed, launch }: TurnLaunch): RuleHold | undefined {
  const { kernel, model, body } = view;
  const elsewhere = storesElsewhere(view, []);
  if (elsewhere !== undefined) return elsewhere;
  const grid = mentionIn(body, /\b(?:this_grid|grid_group|__nanosleep|this_cluster)\b/);
  if (grid !== undefined) return not("cooperation", `blocks work together (${grid.text})`, grid.line);
  const { stored, loaded, accesses } = cudaAccesses(kernel);
  const handedOn = passed.filter(
    ({ parameter }) =>
      stored.has(parameter) ||
      escapes(
        view,
        parameter,
        accesses.map(({ node }) => node.text),
      ),
  );
  const numbers = passed.filter(({ byTurn, parameter }) => byTurn && !isPointer(view, parameter));
  for (const { parameter, node, byTurn } of handedOn) {
    const places = accesses.filter((each) => each.parameter === parameter);
    const isOnlyAdded = !stored.has(parameter) || places.every(({ stores }) => !stores);
    const byNumber = places.some(({ node: at }) =>
      numbers.some((number) => reads(view, at.text, number.parameter)),
    );
    if (!byTurn && !isOnlyAdded && !byNumber)
      return not("dependence", `every turn writes to the same places of ${collapse(node.text)}`, node);
    const isRead = loaded.has(parameter) && new Set(places.map(({ node: at }) => at.text)).size > 1;
    if (!byTurn && isRead && !isOnlyAdded)
      return not("dependence", `turns read ${parameter} and write to it`, node);
    const names = pointerNames(view, node.text);
    const shared = passed.find(
      (other) =>
        other.parameter !== parameter &&
        isPointer(view, other.parameter) &&
        collapse(other.node.text) !== collapse(node.text) &&
        pointerNames(view, other.node.text).some((name) => names.includes(name)),
    );
    if (shared !== undefined)
      return not("aliasing", `${collapse(shared.node.text)} may be what another turn writes`, shared.node);
  }
  return calledFunctions(model, kernel).some((called) => mentionIn(called, /\bthis_grid\b/) !== undefined)
    ? not("cooperation", "blocks work together", launch.call)
    : undefined;
}

function isPointer({ kernel }: KernelView, parameter: string): boolean {
  return kernel.facts.parameters.some(({ name, pointer }) => name === parameter && pointer);
}

/** Where an expression names a parameter, also by way of locals that are set once. */
function reads(view: KernelView, text: string, parameter: string, depth = 0): boolean {
  return (text.match(/[A-Za-z_]\w*/g) ?? []).some((word) => {
    if (word === parameter) return true;
    const meaning = depth > 6 ? undefined : view.scope.meaning(word);
    return (
      meaning !== undefined && typeof meaning === "object" && reads(view, meaning.text, parameter, depth + 1)
    );
  });
}

/** A pointer that the kernel uses otherwise than by elements, as it hands it on to a function. */
function escapes(view: KernelView, parameter: string, elements: readonly string[]): boolean {
  const facts = view.kernel.facts.parameters.find(({ name }) => name === parameter);
  if (facts?.pointer !== true || facts.readOnly) return false;
  return usesOf(view.body, parameter).some(
    ({ parent }) => parent?.type === "argument_list" && !elements.includes(parent.parent?.text ?? ""),
  );
}

/** Names in what is passed that are pointers of the host, or may be. */
function pointerNames(view: KernelView, text: string, depth = 0): readonly string[] {
  const host = view.launches[0]?.host;
  const known = host?.descendantsOfType("pointer_declarator") ?? [];
  const pointers = new Set(
    known.flatMap((each) => each.descendantsOfType("identifier").map((name) => name.text)),
  );
  const words: readonly string[] = text.match(/[A-Za-z_]\w*/g) ?? [];
  const first = words[0] === undefined ? [] : [words[0]];
  // What another pointer is made of leads to the same places.
  const behind = (host === undefined ? [] : pointerValues(host))
    .filter(({ name, value }) => words.includes(name) && value.text !== text)
    .flatMap(({ value }) => (depth > 6 ? [] : pointerNames(view, value.text, depth + 1)));
  return [...new Set([...words.filter((word) => pointers.has(word)), ...first, ...behind])];
}

/** An axis of the grid that the kernel leaves alone: the one that has one block, or one that is not there. */
function freeAxis(view: KernelView, { launch }: TurnLaunch): TurnAxis | RuleHold {
  const written = writtenGrid(launch.call);
  if (written === undefined || launch.grid.length === 0)
    return not("launch", "the grid of the launch cannot be read", launch.call);
  const extents = extentsOf(written, launch);
  const parts = [view.body, ...calledFunctions(view.model, view.kernel)];
  const free = (["x", "y", "z"] as const).findIndex((axis, place) => {
    const asks = new RegExp(`\\b(?:blockIdx|gridDim)\\s*(?:\\.\\s*${axis}\\b|[^.\\s])`);
    return extents[place] === "1" && parts.every((part) => mentionIn(part, asks) === undefined);
  });
  if (free < 0) return not("limit", "the kernel uses every axis of the grid", launch.call);
  const bound = enclosing(written, "kernel_call_syntax");
  return bound === undefined
    ? not("launch", "the launch cannot be read", launch.call)
    : { place: free as TurnAxis["place"], extents, written };
}
