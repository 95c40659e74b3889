import { lineOf, partsOf } from "../../../../../language/query";
import { editedTree, freshName } from "../../../edits";
import { evidenceFor, targetGpu } from "../../../evidence";
import { isNot, not } from "../../../rule";
import { defineRule, threshold } from "../../../rule-table";
import { tritonKernel, type TritonView } from "../../kernel";
import { libraryOf } from "../../spread/dimension";
import { programsOf } from "../dealt-turns";
import { inParts, type Placed } from "./in-parts";
import { runningSoftmax, type RunningSoftmax } from "./running-softmax";

/**
 * A few programs that each go over a long row of scores with their greatest one and sums of exponentials: the
 * turns are dealt out to several programs, and a second kernel puts their parts together.
 */
export const splitSoftmax = defineRule("triton-split-softmax", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const programs = programsOf(input);
  const most = targetGpu(input).multiprocessors;
  if (programs === undefined || programs >= most)
    return not("no-evidence", "every multiprocessor has a program", view.launch.call);
  const loops = partsOf(view.body).filter(({ type }) => /^(?:for|while)_statement$/.test(type));
  const [loop, ...others] = loops;
  if (loop === undefined || others.length > 0)
    return not("no-pattern", "the kernel has no single loop over scores", loop ?? view.line);
  const softmax = runningSoftmax(view, loop);
  if (isNot(softmax)) return softmax;
  const gain = 1 - programs / most;
  const edits = inParts(view, {
    loop,
    carried: [softmax.greatest, ...softmax.sums],
    steps: softmax.steps,
    together: (placed) => togetherLines(view, softmax, placed),
    most: threshold(entry, "partsMost"),
    turns: threshold(entry, "turnsLeast"),
    multiprocessors: most,
  });
  const facts = { file: input.file, line: lineOf(view.launch.call), counter: "instructions" as const };
  const evidence = evidenceFor(entry, { ...facts, value: programs, ideal: most });
  if (isNot(edits)) return { ...edits, sentence: `${evidence.sentence}; ${edits.sentence}`, gain };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: entry.hypothesis,
    evidence,
    gain,
  };
});

/** The lines of the second kernel that stand where the loop was. */
function togetherLines(
  view: TritonView,
  { greatest, sums, exponential }: RunningSoftmax,
  { begin, parts, load }: Placed,
): readonly string[] {
  const library = libraryOf(view);
  const [turn = "", other = "", both = "", kept = "", taken = ""] = [
    "part",
    `${greatest.name}_part`,
    `${greatest.name}_both`,
    "kept",
    "taken",
  ].map((wanted) => freshName(view.source, wanted));
  const part = `${begin} + ${turn}`;
  const weight = (of: string): string =>
    `${library}where(${of} == ${both}, 1.0, ${exponential}(${of} - ${both}))`;
  return [
    `for ${turn} in ${library}static_range(${parts}):`,
    `    ${other} = ${load(greatest, part)}`,
    `    ${both} = ${library}maximum(${greatest.name}, ${other})`,
    `    ${kept} = ${weight(greatest.name)}`,
    `    ${taken} = ${weight(other)}`,
    ...sums.map((sum) => {
      const { name, laid } = sum;
      return `    ${name} = ${name} * ${kept}${laid} + ${load(sum, part)} * ${taken}${laid}`;
    }),
    `    ${greatest.name} = ${both}`,
  ];
}
