import type { TextEdit } from "../edits";
import { editedTree, indentOf, replaceNode } from "../edits";
import { countsOf, evidenceFor, gainOn, shareSaved } from "../evidence";
import type { RuleNode } from "../rule";
import { defineRule, fillSentence, threshold } from "../rule-table";
import { compact, isInside, lineOf, usesOf } from "../syntax";
import type { TritonKernel } from "./kernel-source";
import { gridFollows, isMasked, keyword, languageCalls, launchConstant, tritonKernel } from "./kernel-source";

/** One walk over the row: `for start in range(0, end, BLOCK):` beginning with the offsets and the load. */
interface Pass {
  readonly loop: RuleNode;
  readonly variable: string;
  readonly end: string;
  readonly block: string;
  /** `offsets = start + tl.arange(0, BLOCK)`. */
  readonly offsets: RuleNode;
  /** `values = tl.load(…)`. */
  readonly load: RuleNode;
  readonly rest: readonly RuleNode[];
}

/**
 * Loads a row once and keeps it in registers where several loops walk it: the block becomes as long as the row, so each loop would run once and
 * its load would be the same as the first one's.
 */
export const fuseRowPasses = defineRule("triton-fuse-row-passes", (input, entry) => {
  const kernel = tritonKernel(input);
  if (kernel === undefined || !isMasked(kernel.body)) return [];
  const passes = kernel.body.namedChildren.flatMap((node) => passOf(node) ?? []);
  const [first, ...again] = passes;
  if (first === undefined || again.length === 0 || !sameWalk(kernel, passes)) return [];
  const { launch } = kernel;
  const constant = launchConstant(launch, first.block);
  const keywordValue = launch.keywords.get(first.block);
  const length = launch.positional[kernel.parameters.findIndex((parameter) => parameter.name === first.end)];
  if (constant === undefined || keywordValue === undefined || length?.type !== "identifier" || gridFollows(launch, first.block, constant.local)) return [];
  const loads = again.map((pass) => ({ line: lineOf(pass.load), sectors: countsOf(input, pass.load).globalLoadSectors }));
  const saved = loads.reduce((sum, load) => sum + load.sectors, 0);
  const [worst] = [...loads].sort((a, b) => b.sectors - a.sectors);
  if (worst === undefined || shareSaved(saved, input.counters.totals.globalLoadSectors) < threshold(entry, "shareLeast")) return [];
  const facts = { file: input.file, line: worst.line, counter: "globalLoadSectors" as const, value: worst.sectors, ideal: 0 };
  const edits = [...passes.map((pass, position) => straightened(kernel, pass, position === 0)), replaceNode(keywordValue, `triton.next_power_of_2(${length.text})`)];
  return [{
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { block: first.block, times: passes.length }),
    evidence: evidenceFor(entry, facts, { times: passes.length }),
    gain: gainOn(input, ["dram", "l2", "issue"], shareSaved(saved, input.counters.totals.globalLoadSectors + input.counters.totals.globalStoreSectors)),
  }];
});

function passOf(loop: RuleNode): Pass | undefined {
  if (loop.type !== "for_statement") return undefined;
  const range = loop.childForFieldName("right");
  const steps = range?.type === "call" && compact(range.childForFieldName("function")) === "range" ? (range.childForFieldName("arguments")?.namedChildren ?? []) : [];
  const [variable, body] = [loop.childForFieldName("left"), loop.childForFieldName("body")];
  const [zero, end, block] = steps;
  if (variable?.type !== "identifier" || !body || zero?.text !== "0" || end?.type !== "identifier" || block?.type !== "identifier") return undefined;
  const [offsets, load, ...rest] = body.namedChildren.filter((node) => node.type !== "comment");
  const [offsetsValue, loadValue] = [offsets, load].map((node) => node?.namedChildren[0]?.type === "assignment" ? node.namedChildren[0].childForFieldName("right") : null);
  const spans = compact(offsetsValue);
  const arange = `tl.arange(0,${block.text})`;
  if (offsets === undefined || load === undefined || ![`${variable.text}+${arange}`, `${arange}+${variable.text}`].includes(spans)) return undefined;
  if (compact(loadValue?.childForFieldName("function")) !== "tl.load" || body.namedChildren.some((node) => node.type === "comment")) return undefined;
  if (usesOf(body, variable.text).length !== 1) return undefined;
  return { loop, variable: variable.text, end: end.text, block: block.text, offsets, load, rest };
}

/** All walks are the same, load the same, run at the top of the kernel, and nothing is stored before the last load. */
function sameWalk(kernel: TritonKernel, passes: readonly Pass[]): boolean {
  const [first] = passes;
  const last = passes.at(-1);
  if (first === undefined || last === undefined || kernel.body.descendantsOfType(["for_statement", "while_statement"]).length !== passes.length) return false;
  const names = [first.offsets, first.load].map((node) => node.namedChildren[0]?.childForFieldName("left")?.text ?? "");
  const assigned = (node: RuleNode, name: string): boolean => node.descendantsOfType(["assignment", "augmented_assignment"]).some((act) => usesOf(act.childForFieldName("left") ?? act, name).length > 0);
  const pointer = languageCalls(first.load, ["load"])[0]?.childForFieldName("arguments")?.namedChildren[0];
  const invariants = [first.end, first.block, ...(pointer?.descendantsOfType("identifier").map((node) => node.text) ?? [])].filter((name) => !names.includes(name));
  const same = passes.every((pass) => {
    const alike = pass.end === first.end && pass.block === first.block && compact(pass.offsets).replace(pass.variable, "") === compact(first.offsets).replace(first.variable, "") && compact(pass.load) === compact(first.load);
    return alike && pass.rest.every((node) => names.every((name) => !assigned(node, name)));
  });
  const between = kernel.body.namedChildren.filter((node) => node.startIndex >= first.loop.startIndex && node.startIndex <= last.loop.startIndex);
  const steady = between.every((node) => invariants.every((name) => name === first.variable || !assigned(node, name)));
  const outside = between.filter((node) => !passes.some((pass) => pass.loop.id === node.id));
  const kept = outside.every((node) => names.every((name) => !assigned(node, name)));
  const stores = languageCalls(kernel.body, ["store", "atomic_add", "atomic_max", "atomic_min", "atomic_cas", "atomic_xchg"]);
  const masked = keyword(languageCalls(first.load, ["load"])[0] ?? first.load, "mask") !== undefined;
  return same && steady && kept && masked && stores.every((call) => isInside(call, last.loop) || call.startIndex > last.loop.endIndex);
}

/** The loop's body without the loop; the first pass keeps its offsets and its load. */
function straightened(kernel: TritonKernel, pass: Pass, keepsLoad: boolean): TextEdit {
  const outer = indentOf(kernel.source, pass.loop);
  const inner = indentOf(kernel.source, pass.offsets);
  const offsets = pass.offsets.text.replace(new RegExp(`\\b${pass.variable}\\s*\\+\\s*|\\s*\\+\\s*\\b${pass.variable}\\b`), "");
  const kept = [...(keepsLoad ? [offsets, pass.load.text] : []), ...pass.rest.map((node) => node.text)];
  const lines = kept.map((text) => text.split("\n").map((line, row) => (row > 0 && line.startsWith(inner) ? outer + line.slice(inner.length) : line)).join("\n"));
  return { start: pass.loop.startIndex, end: pass.loop.endIndex, text: lines.join(`\n${outer}`) };
}
