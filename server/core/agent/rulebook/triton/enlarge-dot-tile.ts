import { enclosing, lineOf } from "../../../language/query";
import { editedTree, type TextEdit } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import { isNot, not, type RuleEvidence, type RuleHold, type RuleInput, type RuleProposal } from "../rule";
import { defineRule, fillSentence, type RuleEntry, threshold } from "../rule-table";
import {
  constantEdits,
  gridFollows,
  languageCalls,
  launchConstant,
  type LaunchConstant,
  launchWarps,
  servesLaunchOnly,
  statementOf,
  tritonKernel,
  type TritonView,
} from "./kernel";
import { warpsEdit } from "./fewer-warps";
import { reachesPast } from "./products/reach";

/**
 * Makes the side of the output tile of a matrix product two or four times as long, so that each loaded value
 * is used as many times as often.
 */
export const enlargeDotTile = defineRule("triton-enlarge-dot-tile", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  if (languageCalls(view, ["dot"]).length === 0)
    return not("no-pattern", "the kernel multiplies no matrices", view.line);
  const sides = sidesOf(view);
  const holders = [...new Map(sides.map((side) => [side.holder.id, side])).values()];
  const past = reachesPast(view, changedWith(view, holders));
  if (past !== undefined) return past;
  const square = sides.length === 1 && languageCalls(view, ["program_id"]).length === 2;
  if (sides.length < 2 && !square)
    return not("launch", "the grid does not follow two sides of the tile", view.launch.call);
  const most = threshold(entry, "sideMost");
  const large = holders.find(({ value }) => value * 2 > most);
  if (large !== undefined)
    return not("limit", `${large.parameter} is ${large.value}, twice that is beyond ${most}`, large.holder);
  const names = sides.map((side) => side.parameter).join(" and ");
  // The shortest sides that tl.dot takes are far from what suits a GPU.
  const isShort = holders.some(({ value }) => value <= threshold(entry, "sideShort"));
  const factors = isShort ? [threshold(entry, "factorMost"), 2] : [2];
  const fits = (factor: number): boolean => holders.every(({ value }) => value * factor <= most);
  const answers = factors.filter(fits).map((factor) => {
    const loads = loopLoads(input, entry, { view, names, factor });
    if (isNot(loads)) return [loads];
    const hypothesis = fillSentence(entry.hypothesis, { names, factor });
    const more = moreWarps(view, { factor, most: threshold(entry, "warpsMost") });
    return [more, []].flatMap((warps): readonly RuleProposal[] => {
      if (warps === undefined) return [];
      const tree = editedTree(input, [...enlarged(holders, factor), ...warps]);
      return [{ kind: "proposal", tree, hypothesis, ...loads, isAlternative: factor > 2 }];
    });
  });
  return answers[0]?.some(isNot) ? answers[0] : answers.flat();
});

interface Longer {
  /** How many times as long each side gets. */
  readonly factor: number;
  /** Warps, at most. */
  readonly most: number;
}

/** Warps for as many more elements, where a program has few; undefined where it has enough. */
function moreWarps(view: TritonView, { factor, most }: Longer): readonly TextEdit[] | undefined {
  const warps = launchWarps(view);
  if (warps === undefined || warps >= most) return undefined;
  const edit = warpsEdit(view, Math.min(most, warps * factor ** 2));
  return isNot(edit) ? undefined : [edit];
}

/** Each literal once, so many times as large: two sides may share a number of the grid. */
function enlarged(holders: readonly LaunchConstant[], factor: number): readonly TextEdit[] {
  const edits = holders.flatMap((side) => constantEdits(side, side.value * factor));
  return [...new Map(edits.map((edit) => [edit.start, edit])).values()];
}

/** Lengths of the tile that the grid divides by: those of the output. */
function sidesOf(view: TritonView): readonly (LaunchConstant & { readonly parameter: string })[] {
  return view.parameters
    .filter((parameter) => parameter.constexpr)
    .flatMap(({ name }) => {
      const constant = launchConstant(view, name);
      const local = constant?.local;
      return constant !== undefined &&
        gridFollows(view, name, local) &&
        (local === undefined || servesLaunchOnly(view, local))
        ? [{ ...constant, parameter: name }]
        : [];
    });
}

/** Parameters of the kernel that take these constants. */
function changedWith(view: TritonView, holders: readonly LaunchConstant[]): ReadonlySet<string> {
  const ids = new Set(holders.map(({ holder }) => holder.id));
  const names = view.parameters.map(({ name }) => name);
  return new Set(
    names.filter((name) => {
      const constant = launchConstant(view, name);
      return constant !== undefined && ids.has(constant.holder.id);
    }),
  );
}

/** What the loads of the loop cost; a guard's answer unless that is most of the kernel's traffic. */
function loopLoads(
  input: RuleInput,
  entry: RuleEntry,
  { view, names, factor }: { readonly view: TritonView; readonly names: string; readonly factor: number },
): { readonly evidence: RuleEvidence; readonly gain: number } | RuleHold {
  const loads = languageCalls(view, ["load"])
    .map(statementOf)
    .filter((node) => enclosing(node, "for_statement") !== undefined)
    .map((node) => ({ line: lineOf(node), sectors: countsOf(input, node).globalLoadSectors }));
  const [worst] = [...loads].sort((a, b) => b.sectors - a.sectors);
  const total = loads.reduce((sum, load) => sum + load.sectors, 0);
  const { globalLoadSectors, globalStoreSectors } = input.counters.totals;
  if (worst === undefined || worst.sectors === 0)
    return not("no-evidence", "no load in a loop was counted", view.line);
  if (shareSaved(total, globalLoadSectors) < threshold(entry, "shareLeast"))
    return not("no-evidence", "the loads of the loop are a small part of all", worst.line);
  const facts = {
    file: input.file,
    line: worst.line,
    counter: "globalLoadSectors" as const,
    value: worst.sectors,
    ideal: Math.ceil(worst.sectors / factor),
  };
  const saved = total * (1 - 1 / factor);
  return {
    evidence: evidenceFor(entry, facts, { names, factor }),
    gain: gainOn(input, ["dram", "l2"], shareSaved(saved, globalLoadSectors + globalStoreSectors)),
  };
}
