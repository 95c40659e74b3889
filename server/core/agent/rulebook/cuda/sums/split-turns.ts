import type { CountedLoop } from "../../../../language/cuda/body/loops";
import { compact, fieldText, lineOf } from "../../../../language/query";
import {
  editedText,
  editedTree,
  freshName,
  indentOf,
  insertBefore,
  replaceNode,
  type TextEdit,
} from "../../edits";
import { countsOf, evidenceFor, targetGpu } from "../../evidence";
import { isNot, not, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { blocksForEach } from "../launch/asked-grid";
import { blockShape, launchedBlocks } from "../launch/block-shape";
import { freeAxis } from "../launch/dealt-turns";
import { factorOf, gridEdits, hostCodeRuns, onlyLaunch } from "../launch/grid-edit";
import { type StoredSum, summedTurns } from "./summed-turns";

/** More blocks would have too few turns each. */
const mostParts = 64;
/** Of the multiprocessors; where more have a block, adding up parts costs what the others would save. */
const mostBusy = 0.75;
const warp = 32;

/**
 * Deals the turns of a long loop out to more blocks along another axis of the grid, where the few outputs of
 * a kernel leave most of the GPU idle: each block adds its part to the outputs, which a launch in front of it
 * has set to zero.
 */
export const splitTurns = defineRule("cuda-split-turns", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const blocks = launchedBlocks(input, view);
  const most = targetGpu(input).multiprocessors;
  if (blocks === undefined) return not("no-evidence", "how many blocks are launched is not known", view.line);
  if (blocks > mostBusy * most) return not("no-evidence", `${blocks} blocks keep the GPU busy`, view.line);
  const block = blockShape(input, view);
  if (isNot(block)) return block;
  const work = summedTurns(view, block.sizes);
  if (isNot(work)) return work;
  const { loop } = work;
  const warps = Math.max(1, blocks * Math.ceil((input.launches?.[0]?.threadsPerBlock ?? warp) / warp));
  if (countsOf(input, loop.loop).instructions / warps < threshold(entry, "instructionsEach"))
    return not("no-evidence", "the loop is too short to be split", loop.loop);
  const gain = 1 - blocks / most;
  const edits = splitEdits(input, view, { ...work, each: threshold(entry, "blocksEach") });
  if (isNot(edits)) return { ...edits, gain };
  const facts = { file: input.file, line: lineOf(loop.loop), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, {}),
    evidence: evidenceFor(entry, { ...facts, value: blocks, ideal: most }),
    gain,
  };
});

interface Work {
  readonly loop: CountedLoop;
  readonly stores: readonly StoredSum[];
  /** Blocks for each multiprocessor. */
  readonly each: number;
}

function splitEdits(input: RuleInput, view: KernelView, work: Work): readonly TextEdit[] | RuleHold {
  if (!hostCodeRuns(input))
    return not("launch", "the outputs have to be set to zero by a launch of their own", view.line);
  const launch = onlyLaunch(input, view);
  if (isNot(launch)) return launch;
  const statement = launch.call.parent;
  if (statement?.type !== "expression_statement" || statement.parent?.type !== "compound_statement")
    return not("launch", "the launch is no statement among others", launch.call);
  const { grid } = launch;
  const axis = freeAxis(view, (free) => (grid[free === "y" ? 1 : 2]?.text ?? "1") !== "1");
  if (typeof axis !== "string") return not("dependence", `${compact(axis)} is used`, axis);
  const tiles = grid.flatMap(({ text }) => (text === "1" ? [] : [factorOf(text)])).join(" * ");
  const parts = blocksForEach(
    { input, view, launch, each: work.each },
    tiles === "" ? "1" : tiles,
    mostParts,
  );
  if (isNot(parts)) return parts;
  const more = gridEdits(input, view, ([x, y, z]) =>
    axis === "y" ? [x, parts.text, z] : [x, y, parts.text],
  );
  if (isNot(more)) return more;
  const zero = freshName(view.source, `${view.kernel.facts.name}_zero`);
  const named = new RegExp(`\\b${view.kernel.facts.name}\\b`);
  const zeroing = launch.call.text.replace(named, zero);
  return [
    ...parts.edits,
    ...more,
    insertBefore(statement, `${zeroing};\n${indentOf(view.source, statement)}`),
    insertBefore(
      view.kernel.definition.parent?.type === "template_declaration"
        ? view.kernel.definition.parent
        : view.kernel.definition,
      zeroKernel(view, work, zero),
    ),
    ...dealtEdits(work.loop, axis),
    ...work.stores.map(({ assignment, target, value, type }) =>
      replaceNode(assignment, `atomicAdd(&${target.text}, static_cast<${type}>(${value.text}))`),
    ),
  ];
}

/** The blocks of an axis take the turns one after the other. */
export function dealtEdits(
  { start, step, update, variable }: CountedLoop,
  axis: "y" | "z",
): readonly TextEdit[] {
  const amount = step.amount === undefined ? "" : ` * ${factorOf(step.amount.text)}`;
  const first = start.text === "0" ? "" : `${factorOf(start.text)} + `;
  return [
    replaceNode(start, `${first}blockIdx.${axis}${amount}`),
    replaceNode(update, `${variable} += gridDim.${axis}${amount}`),
  ];
}

/** The kernel without its loop, which stores nothing but zeros. */
function zeroKernel(view: KernelView, { loop, stores }: Work, name: string): string {
  const { definition, facts } = view.kernel;
  const outer = definition.parent?.type === "template_declaration" ? definition.parent : definition;
  const declarator = definition
    .descendantsOfType("function_declarator")
    .find((node) => fieldText(node, "declarator") === facts.name);
  const named = declarator?.childForFieldName("declarator");
  const pragma = /^#\s*pragma/.test(loop.loop.previousNamedSibling?.text ?? "")
    ? loop.loop.previousNamedSibling
    : null;
  const edits = [
    ...(named ? [replaceNode(named, name)] : []),
    { start: (pragma ?? loop.loop).startIndex, end: loop.loop.endIndex, text: "" },
    ...stores.map(({ value, type }) => replaceNode(value, `static_cast<${type}>(0)`)),
  ];
  const text = editedText(view.source, { start: outer.startIndex, end: outer.endIndex }, edits);
  return `${text.replace(/\n\s*\n(?=\s*\n)/g, "\n")}\n\n`;
}
