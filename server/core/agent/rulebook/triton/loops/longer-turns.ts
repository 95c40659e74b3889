import { lineOf } from "../../../../language/query";
import { editedTree } from "../../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence, threshold } from "../../rule-table";
import {
  constantEdits,
  gridFollows,
  isCallOf,
  languageCalls,
  launchConstant,
  type LaunchConstant,
  launchWarps,
  maskOf,
  positional,
  secondDimension,
  servesLaunchOnly,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { headOf, walksOf } from "../passes/walks";
import { dependencesOf } from "../spread/dependence";

/** A walk over a row in short blocks takes longer ones: each thread has several elements in a turn. */
export const longerTurns = defineRule("triton-longer-turns", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const span = walkedSpan(view);
  if (isNot(span)) return span;
  const [worst] = view.body
    .descendantsOfType(["for_statement", "while_statement"])
    .flatMap((loop) => languageCalls(view, ["load"], loop))
    .map((load) => ({ load, counts: countsOf(input, statementOf(load)) }))
    .sort((a, b) => b.counts.globalLoadRequests - a.counts.globalLoadRequests);
  const value = worst?.counts.globalLoadRequests ?? 0;
  if (worst === undefined || value === 0) return not("no-evidence", "no load was counted", view.line);
  const { parameter, warps } = span;
  const size = warps * 32 * threshold(entry, "elementsPerThread");
  if (size <= span.value)
    return not("no-evidence", `${span.value} elements are enough for ${warps} warps`, span.holder);
  const ideal = Math.ceil((value * span.value) / size);
  const blanks = { parameter, before: String(span.value), size: String(size) };
  const facts = { file: input.file, line: lineOf(worst.load), counter: "globalLoadRequests" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, constantEdits(span, size)),
    hypothesis: fillSentence(entry.hypothesis, blanks),
    evidence: evidenceFor(entry, { ...facts, value, ideal }, blanks),
    gain: gainOn(input, ["l2", "issue", "latency"], shareSaved(value - ideal, value)),
  };
});

interface Span extends LaunchConstant {
  readonly parameter: string;
  readonly warps: number;
}

/** The block that a loop steps by, where nothing else follows it. */
function walkedSpan(view: TritonView): Span | RuleHold {
  const heads = view.body
    .descendantsOfType(["for_statement", "while_statement"])
    .flatMap((loop) => headOf(view, loop) ?? []);
  const [head] = heads;
  const tile = secondDimension(view);
  if (head === undefined || tile !== undefined)
    return not("no-pattern", "no loop walks over a row in blocks", view.line);
  if (!isNot(walksOf(view)))
    return not("no-pattern", "a block as long as the row saves the later walks as well", view.line);
  const { block } = head;
  const spans = languageCalls(view, ["arange"]).map((call) => positional(call)[1]?.text);
  if (spans.some((span) => span !== block) || heads.some((each) => each.block !== block))
    return not("no-pattern", "the kernel has blocks of several lengths", view.line);
  const unmasked = bareBlock(view);
  if (unmasked !== undefined) return unmasked;
  const constant = launchConstant(view, block);
  const warps = launchWarps(view);
  if (constant === undefined || warps === undefined)
    return not("launch", `${block} or num_warps is computed at the launch`, view.launch.call);
  if (constant.local !== undefined && !servesLaunchOnly(view, constant.local))
    return not("fixed-elsewhere", `${constant.local} is used for more than the launch`, constant.holder);
  return gridFollows(view, block, constant.local)
    ? not("launch", `the grid follows ${block}`, view.launch.call)
    : { ...constant, parameter: block, warps };
}

/** An access of a block without a mask: a longer one would reach past the end. */
function bareBlock(view: TritonView): RuleHold | undefined {
  const of = dependencesOf(view, (node) =>
    isCallOf(view, node, "arange") ? { programs: false, lanes: true } : undefined,
  );
  const bare = languageCalls(view, ["load", "store"]).find(
    (call) => positional(call).some((part) => of(part).lanes) && maskOf(view, call) === undefined,
  );
  const found = bare ?? languageCalls(view, ["make_block_ptr", "make_tensor_descriptor"])[0];
  return (
    found && not("no-pattern", "an access has no mask, so a longer block would reach past the end", found)
  );
}
