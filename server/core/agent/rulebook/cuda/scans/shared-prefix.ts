import { coefficient, formText } from "../../../../language/cuda/body/forms";
import { type CountedLoop, countedLoops } from "../../../../language/cuda/body/loops";
import { changes, isAssigned, isPure } from "../../../../language/cuda/body/scope";
import { compact, enclosing, isInside, lineOf } from "../../../../language/query";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../../rule";
import { defineRule, type RuleEntry, threshold } from "../../rule-table";
import { cudaKernel, formIn, type KernelView } from "../kernel";
import { blockShape } from "../launch/block-shape";
import { carriedValues } from "../rows/carried-values";
import { localTypes } from "../spelling/calls/objects";
import { type Prefix, sharedLoop } from "./shared-loop";
import { sharedNames } from "./shared-names";
import { isShuffled } from "./running-sum";

/**
 * Lets the lanes of a warp share the sums that each of its threads begins anew at the first element: they put
 * together what all of them need, and find by shuffles what each has to add. Where the lanes turn out to sum
 * different things, each sums by itself as before.
 */
export const sharedPrefix = defineRule("cuda-share-prefix", (input, entry) => {
  const view = cudaKernel(input);
  if (isNot(view)) return view;
  const block = blockShape(input, view);
  const loops = countedLoops(view.body).filter((loop) => endsAtThread(view, loop));
  const [first] = loops;
  if (first === undefined) return not("no-pattern", "no loop ends at the number of its thread", view.line);
  if (isNot(block) || block.sizes[0] % 32 !== 0)
    return not("launch", "the rows of the block are not whole warps", first.loop);
  return loops.map((loop) => answer(input, entry, { view, loop }));
});

/** `for (k = 0; k <= i; ++k)` whose end grows by one from lane to lane. */
function endsAtThread(view: KernelView, { bound, start, step, comparison }: CountedLoop): boolean {
  const byOne = step.operator === "+" && ["", "1"].includes(compact(step.amount));
  const ends = formIn(view, bound);
  const own = coefficient(ends, "threadIdx.x") === 1 || /^\((?:[^()]*\+)?threadIdx\.x%/.test(formText(ends));
  const fixed = !/threadIdx/.test(formText(formIn(view, start)));
  return byOne && own && fixed && (comparison === "<" || comparison === "<=");
}

function answer(
  input: RuleInput,
  entry: RuleEntry,
  { view, loop }: { readonly view: KernelView; readonly loop: CountedLoop },
): RuleAnswer {
  const prefix = prefixOf(view, loop);
  if (isNot(prefix)) return prefix;
  const { instructions } = countsOf(input, loop.loop);
  const ideal = Math.ceil(instructions * threshold(entry, "kept"));
  const share = shareSaved(instructions - ideal, input.counters.totals.instructions);
  if (share < threshold(entry, "shareLeast"))
    return not("no-evidence", "the loop takes a small part of all instructions", loop.loop);
  const facts = { file: input.file, line: lineOf(loop.loop), counter: "instructions" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, [sharedLoop(view, prefix)]),
    hypothesis: entry.hypothesis,
    evidence: evidenceFor(entry, { ...facts, value: instructions, ideal }),
    gain: gainOn(input, ["issue", "integer", "fp32", "l1", "l2", "latency"], share),
  };
}

function prefixOf(view: KernelView, loop: CountedLoop): Prefix | RuleHold {
  const { body, bound, start, variable } = loop;
  if (!isPure(bound) || !isPure(start) || isAssigned(body, variable))
    return not("dependence", `the ends or ${variable} may change inside the loop`, loop.loop);
  const kinds = ["break_statement", "return_statement", "goto_statement", "for_statement", "while_statement"];
  const [other] = body.descendantsOfType(kinds);
  if (other !== undefined) return not("no-pattern", "the loop holds more than sums", other);
  const around = enclosing(loop.loop, "for_statement", "while_statement", "do_statement");
  if (around !== undefined && isInside(around, view.body))
    return not("no-pattern", "the loop stands in another one", around);
  const stored = changes(body).find(({ target }) => target.type !== "identifier");
  if (stored !== undefined) return not("dependence", "the loop stores elements", stored.act);
  const atomic = body
    .descendantsOfType("call_expression")
    .find((call) => /^(?:::)?atomic|&/.test(compact(call)));
  if (atomic !== undefined) return not("dependence", "the loop calls what may change memory", atomic);
  const carried = carriedValues(body, variable);
  if (isNot(carried)) return carried;
  const types = localTypes(view);
  const sums = carried.map(({ name, combination }) => ({ name, combination, type: types.get(name) ?? "" }));
  const odd = sums.find(({ combination, type }) => combination !== "sum" || !isShuffled(type));
  if (odd !== undefined || sums.length === 0)
    return not(
      "no-rewrite",
      `${odd?.name ?? "what the loop makes"} is no sum that lanes can share`,
      loop.loop,
    );
  const alike = sharedNames(view, loop, new Set(sums.map(({ name }) => name)));
  return isNot(alike) ? alike : { loop, sums, alike };
}
