import { changes, isPure, localValues } from "../../../../language/cuda/body/scope";
import { lineOf } from "../../../../language/query";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, type KernelView } from "../kernel";
import { rowOfThreads } from "../launch/block-shape";
import { notForAll } from "../reductions/serial/reached-by-all";
import { lateName, type Serial, serialLoops, unrollOf } from "../reductions/serial/serial-loops";
import { type RunningSum, runningSum } from "./running-sum";
import { scannedLoop } from "./scanned-loop";

const warp = 32;

/** Lets a warp make the running sums that one thread of a block makes while the others wait. */
export const serialScan = defineRule("cuda-serial-scan", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = rowOfThreads(input, view);
  if (isNot(block)) return block;
  const most = threshold(entry, "turnsLeast");
  const found = serialLoops(view, block).filter(({ turns }) => turns >= most);
  if (found.length === 0)
    return not("no-pattern", "no thread walks over a long piece of shared memory alone", view.line);
  if (block.sizes[0] < warp) return not("launch", "the block has no whole warp", view.line);
  return found.map((serial) => answer(input, entry, { view, serial }));
});

interface Asked {
  readonly view: KernelView;
  readonly serial: Serial;
}

function answer(input: RuleInput, entry: RuleEntry, { view, serial }: Asked): RuleAnswer {
  const { loop, turns } = serial;
  const sum = runningSum(view, loop);
  if (isNot(sum)) return sum;
  const { instructions } = countsOf(input, loop.loop);
  if (instructions === 0) return not("no-evidence", "the loop was not counted", loop.loop);
  const least = threshold(entry, "least");
  const saved = shareSaved(instructions * (1 - least), input.counters.totals.instructions);
  const gain = gainOn(input, ["issue", "latency", "integer", "fp32", "shared"], saved);
  const edits = scanned(view, serial, sum);
  if (isNot(edits)) return { ...edits, gain };
  const blanks = { turns: String(turns) };
  const facts = { file: input.file, line: lineOf(loop.loop), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(
      entry,
      { ...facts, value: instructions, ideal: Math.ceil(instructions * least) },
      blanks,
    ),
    gain,
  };
}

function scanned(view: KernelView, serial: Serial, sum: RunningSum): readonly TextEdit[] | RuleHold {
  const { loop, choice } = serial;
  const apart = notForAll(view, serial);
  if (apart !== undefined) return apart;
  const [local, ...again] = localValues(view.body).filter(({ name }) => name === sum.name);
  if (local === undefined || again.length > 0 || !isPure(local.value))
    return not("dependence", `${sum.name} is not declared once with a plain value`, loop.loop);
  const changed = changes(view.body).find(
    ({ target, act }) => target.text === sum.name && act.endIndex <= loop.loop.startIndex,
  );
  if (changed !== undefined) return not("dependence", `${sum.name} is changed before the loop`, changed.act);
  const stores = changes(choice).find(
    ({ target, act }) => target.type !== "identifier" && act.endIndex <= loop.loop.startIndex,
  );
  if (stores !== undefined)
    return not("dependence", "the thread stores before the loop what lanes may need", stores.act);
  const late = lateName(view, serial, {
    parts: [loop.loop, local.value],
    own: new Set([sum.name, loop.variable]),
  });
  if (late !== undefined) return not("dependence", `${late.text} is known to one thread only`, late);
  const total = freshName(view.source, `${sum.name}Total`);
  const indent = indentOf(view.source, choice);
  const lanes = { lane: "threadIdx.x", lanes: warp, mask: "0xffffffffu", total };
  const inner = scannedLoop(view, { loop, sum, indent: `${indent}  ` }, lanes);
  const lines = [
    `${sum.type} ${total} = ${local.value.text};`,
    `if (threadIdx.x < ${warp}) {`,
    `  ${inner}`,
    // What the first thread reads behind the loop, other lanes have stored.
    "  __syncwarp();",
    "}",
  ];
  const start = (unrollOf(loop) ?? loop.loop).startIndex;
  return [
    insertBefore(choice, `${lines.join(`\n${indent}`)}\n${indent}`),
    { ...replaceNode(loop.loop, `${sum.name} = ${total};`), start },
  ];
}
