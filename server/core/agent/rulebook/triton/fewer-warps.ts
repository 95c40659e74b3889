import { lineOf } from "../../../language/query";
import { editedTree, replaceNode, type TextEdit } from "../edits";
import { countsOf, evidenceFor, gainOn } from "../evidence";
import { isNot, not, type RuleAnswer, type RuleHold, type RuleInput } from "../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../rule-table";
import {
  languageCalls,
  launchConstant,
  launchWarps,
  positional,
  secondDimension,
  statementOf,
  tritonKernel,
  type TritonView,
} from "./kernel";

/**
 * Takes warps away from a program that has more threads than elements: the spare threads repeat the work of
 * others.
 */
export const fewerWarps = defineRule("triton-fewer-warps", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const elements = elementsOf(view);
  if (isNot(elements)) return elements;
  const warps = launchWarps(view);
  if (warps === undefined) return not("launch", "num_warps is computed at the launch", view.launch.call);
  const next = Math.max(1, Math.floor(elements / 32));
  if (elements <= 0 || warps / next < threshold(entry, "ratio"))
    return not("no-evidence", `${elements} elements fill ${warps} warps`, view.line);
  const edit = warpsEdit(view, next);
  return isNot(edit) ? edit : reduced(input, entry, { view, elements, warps, next, edit });
});

interface Change {
  readonly view: TritonView;
  readonly elements: number;
  readonly warps: number;
  readonly next: number;
  readonly edit: TextEdit;
}

function reduced(
  input: RuleInput,
  entry: RuleEntry,
  { view, elements, warps, next, edit }: Change,
): RuleAnswer {
  const [load] = languageCalls(view, ["load"])
    .map(statementOf)
    .sort((a, b) => countsOf(input, b).globalLoadSectors - countsOf(input, a).globalLoadSectors);
  const value = load === undefined ? 0 : countsOf(input, load).globalLoadRequests;
  if (load === undefined || value === 0) return not("no-evidence", "no load was counted", view.line);
  const facts = {
    file: input.file,
    line: lineOf(load),
    counter: "globalLoadRequests" as const,
    value,
    ideal: Math.ceil((value * next) / warps),
  };
  return {
    kind: "proposal",
    tree: editedTree(input, [edit]),
    hypothesis: fillSentence(entry.hypothesis, { warps: String(warps), next: String(next), elements }),
    evidence: evidenceFor(entry, facts, { threads: warps * 32, elements }),
    gain: gainOn(input, ["l2", "issue"], 1 - next / warps),
  };
}

/** Elements of a program of one dimension. */
function elementsOf(view: TritonView): number | RuleHold {
  const tile = languageCalls(view, ["dot", "make_block_ptr"])[0] ?? secondDimension(view);
  if (tile !== undefined) return not("no-pattern", "the kernel works on tiles of two dimensions", tile);
  const spans = languageCalls(view, ["arange"]).map((call) => positional(call)[1]?.text ?? "");
  const sizes = spans.flatMap((name) =>
    /^\d+$/.test(name) ? [Number(name)] : (launchConstant(view, name)?.value ?? []),
  );
  return sizes.length === spans.length && sizes.length > 0
    ? Math.max(...sizes)
    : not("launch", "the elements of a program are no constants of the launch", view.launch.call);
}

/** Sets `num_warps` where the launch passes it, or adds it. */
export function warpsEdit(view: TritonView, next: number): TextEdit | RuleHold {
  const option = launchConstant(view, "num_warps");
  const { call } = view.launch;
  if (view.decided.has("num_warps"))
    return not("launch", "a decorator of the kernel chooses num_warps", view.line);
  if (option?.local !== undefined)
    return not("fixed-elsewhere", `num_warps is ${option.local}, which may serve others`, option.holder);
  if (option !== undefined) return replaceNode(option.holder, String(next));
  // An autotuner refuses options at the launch.
  const last = (view.configuration ?? call).childForFieldName("arguments")?.namedChildren.at(-1);
  return last === undefined
    ? not("unreadable", "the launch has no arguments", call)
    : { start: last.endIndex, end: last.endIndex, text: `, num_warps=${next}` };
}
