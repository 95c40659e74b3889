import { collapse, isInside, lineOf, partsOf, usesOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";
import { termOf } from "../../../../timing/bound";
import { editedTree, freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { countsOf, evidenceFor, shareSaved } from "../../evidence";
import { isNot, not, type RuleHold } from "../../rule";
import { defineRule, fillSentence } from "../../rule-table";
import { pointerOf } from "../fusing/access-places";
import {
  languageCalls,
  launchValue,
  onlyAssignment,
  statementOf,
  tritonKernel,
  type TritonView,
} from "../kernel";
import { libraryOf } from "../spread/dimension";
import { parameterEdit } from "../spread/programs";
import { isRowValueLoad, neededOf, rowLoad, type RowLoad } from "./row-load";
import { rowValue, type RowSum, type RowValue } from "./row-values";

/**
 * Works out in the kernel what torch works out of each row in front of the launch: means, variances and
 * greatest values of rows that the kernel loads anyway.
 */
export const statisticsInKernel = defineRule("triton-statistics-in-kernel", (input, entry) => {
  const view = tritonKernel(input);
  if (isNot(view)) return view;
  const found = statisticsOf(view);
  if (isNot(found)) return found;
  const { row, statistics } = found;
  const [first] = statistics;
  if (first === undefined) return not("no-pattern", "torch works nothing out of each row", view.line);
  const gain = Math.min(1, shareSaved(termOf(input.bound, "torch"), input.bound.nanoseconds));
  const edits = statisticEdits(view, row, statistics);
  if (isNot(edits)) return { ...edits, gain };
  const call = collapse(first.act.childForFieldName("right")?.text ?? "");
  const line = lineOf(first.act);
  const { globalLoadSectors } = countsOf(input, statementOf(row.load));
  const facts = { file: input.file, line, counter: "globalLoadSectors" as const };
  return {
    kind: "proposal",
    tree: editedTree(input, edits),
    hypothesis: fillSentence(entry.hypothesis, { call }),
    evidence: evidenceFor(
      entry,
      { ...facts, value: 2 * globalLoadSectors, ideal: globalLoadSectors },
      { call },
    ),
    gain,
  };
});

/** One tensor with a value for each row that the kernel loads. */
interface Statistic {
  readonly parameter: string;
  readonly tensor: string;
  readonly load: SyntaxNode;
  /** The assignment of the host that makes it. */
  readonly act: SyntaxNode;
  readonly value: RowValue;
}

interface Found {
  readonly row: RowLoad;
  readonly statistics: readonly Statistic[];
}

function statisticsOf(view: TritonView): Found | RuleHold {
  const { host, launch } = view;
  const loads = languageCalls(view, ["load"]).filter(
    (load) => isRowValueLoad(view, load) && statementOf(load).parent?.id === view.body.id,
  );
  if (loads.length === 0) return not("no-pattern", "the kernel loads no value of each row", view.line);
  let held: RuleHold = not("no-pattern", "torch works nothing out of rows of the kernel's", launch.call);
  for (const { name: rows, pointer } of view.parameters) {
    const passed = pointer ? launchValue(view, rows) : undefined;
    if (passed?.type !== "identifier") continue;
    const row = rowLoad(view, rows);
    if (isNot(row)) continue;
    let taken = view.source;
    const asks = {
      host,
      tensors: namesOf(host, passed.text),
      library: libraryOf(view),
      length: row.length,
      known: [],
      name: (wanted: string): string => {
        const own = freshName(taken, wanted);
        taken += ` ${own} `;
        return own;
      },
    };
    const statistics = loads.flatMap((load): readonly Statistic[] => {
      const parameter = pointerOf(view, load);
      const tensor = parameter === undefined ? undefined : launchValue(view, parameter)?.text;
      const act = tensor === undefined ? undefined : onlyAssignment(host, tensor);
      const right = act?.childForFieldName("right");
      const value = right ? rowValue(right, asks) : undefined;
      if (parameter === undefined || tensor === undefined || act === undefined || value === undefined)
        return [];
      return load.startIndex < (row.loop ?? row.load).startIndex || row.loop === undefined
        ? [{ parameter, tensor, load, act, value }]
        : [];
    });
    if (statistics.length > 0) return { row, statistics };
    held = not("no-pattern", `what torch makes of ${passed.text} is no value of each row`, launch.call);
  }
  return held;
}

/** The tensor's own name, and that of what it is a copy in one piece of. */
function namesOf(host: SyntaxNode, name: string): readonly string[] {
  const value = onlyAssignment(host, name)?.childForFieldName("right")?.text ?? "";
  const [, base] = /^(\w+)\.contiguous\(\)$/.exec(value) ?? [];
  return base === undefined ? [name] : [name, base];
}

function statisticEdits(
  view: TritonView,
  row: RowLoad,
  statistics: readonly Statistic[],
): readonly TextEdit[] | RuleHold {
  const { launch } = view;
  if (view.tuned) return not("launch", "the autotuner chooses the blocks", launch.call);
  const gone = new Set(statistics.flatMap(({ act, value }) => [act, ...value.through]));
  const kept = statistics.filter(({ act }) => !isUnusedElsewhere(view, act, gone));
  const odd = kept.find(({ load, act }) => nameOfLoad(load) === undefined || isUsedBefore(view, act, gone));
  if (odd !== undefined)
    return not(
      "dependence",
      `${odd.tensor} is used beside the launch, and in front of it or without a name in the kernel`,
      odd.act,
    );
  const numbers = [...new Set(statistics.flatMap(({ value }) => value.numbers))];
  const missing = numbers.filter((name) => !view.parameters.some((each) => each.name === name));
  const declared = missing.length === 0 ? undefined : parameterEdit(view, missing.join(", "));
  if (isNot(declared)) return declared;
  const last = partsOf(launch.call.childForFieldName("arguments")).at(-1);
  const given = missing.map((name) => `, ${name}=${name}`).join("");
  if (last === undefined) return not("launch", "the launch is not read", launch.call);
  const removed = [...gone].filter((act) => isUnusedElsewhere(view, act, gone));
  const unused = statistics
    .filter((each) => !kept.includes(each))
    .flatMap(({ parameter }) => launchValue(view, parameter) ?? []);
  return [
    ...sumEdits(view, row, statistics),
    ...statistics.map(({ load, value }) => replaceNode(load, value.text)),
    ...(declared === undefined ? [] : [declared]),
    ...(given === "" ? [] : [{ start: last.endIndex, end: last.endIndex, text: given }]),
    // The parameters stay, with a tensor in them that the kernel does not touch.
    ...unused.map((node) => replaceNode(node, launchTensor(view, row))),
    ...kept.flatMap((each) => keptEdits(view, row, each)),
    ...removed.map((act) => withoutStatement(view.source, act.parent ?? act)),
  ];
}

/** What others read behind the launch is stored by the kernel. */
function keptEdits(view: TritonView, row: RowLoad, { act, load, value }: Statistic): readonly TextEdit[] {
  const tensor = launchTensor(view, row);
  const right = act.childForFieldName("right") ?? act;
  const chain = [act, ...value.through].map(({ text }) => text).join(" ");
  const shape = /keepdim\s*=\s*True/.test(chain) ? `(*${tensor}.shape[:-1], 1)` : `${tensor}.shape[:-1]`;
  const type = /\.float\(\)|float32/.test(chain) ? "torch.float32" : `${tensor}.dtype`;
  const statement = statementOf(load);
  const [address] = partsOf(load.childForFieldName("arguments"));
  const text = `${libraryOf(view)}store(${collapse(address?.text ?? "")}, ${nameOfLoad(load) ?? ""})`;
  return [
    replaceNode(right, `torch.empty(${shape}, dtype=${type}, device=${tensor}.device)`),
    {
      start: statement.endIndex,
      end: statement.endIndex,
      text: `\n${indentOf(view.source, statement)}${text}`,
    },
  ];
}

/** The name in `s = tl.load(…)`. */
function nameOfLoad(load: SyntaxNode): string | undefined {
  const act = load.parent?.type === "assignment" ? load.parent : undefined;
  const name = act?.childForFieldName("left");
  return act?.childForFieldName("right")?.id === load.id && name?.type === "identifier"
    ? name.text
    : undefined;
}

/** True where what is worked out is read in front of the launch, by more than what is worked out of it. */
function isUsedBefore({ host, launch }: TritonView, act: SyntaxNode, gone: ReadonlySet<SyntaxNode>): boolean {
  const name = act.childForFieldName("left")?.text ?? "";
  return usesOf(host, name).some(
    (use) => use.startIndex < launch.call.startIndex && ![...gone].some((each) => isInside(use, each)),
  );
}

/** The name of the tensor whose rows the kernel loads. */
function launchTensor(view: TritonView, { load }: RowLoad): string {
  return launchValue(view, pointerOf(view, load) ?? "")?.text ?? "None";
}

function isUnusedElsewhere(
  { host, launch }: TritonView,
  act: SyntaxNode,
  gone: ReadonlySet<SyntaxNode>,
): boolean {
  const name = act.childForFieldName("left")?.text ?? "";
  return usesOf(host, name).every(
    (use) => isInside(use, launch.call) || [...gone].some((each) => isInside(use, each)),
  );
}

/** What is put together of the row, in front of the first use. */
function sumEdits(view: TritonView, row: RowLoad, statistics: readonly Statistic[]): readonly TextEdit[] {
  const { source } = view;
  const sums = statistics.flatMap(({ value }) => value.sums);
  const distinct = sums.filter(({ name }, place) => sums.findIndex((each) => each.name === name) === place);
  const [first] = [...statistics].sort((a, b) => a.load.startIndex - b.load.startIndex);
  if (first === undefined) return [];
  const indent = indentOf(source, row.statement);
  const library = libraryOf(view);
  const lines = distinct.flatMap((sum) => sumLines(row, sum, library));
  const before = statementOf(first.load);
  const text = lines.map((line) => `${line}\n${indent}`).join("");
  // A row that is loaded at once is loaded in front of what is made of it, with what its address needs.
  const moved = row.loop === undefined ? movedStatements(view, before, row.statement) : [];
  const own = moved.map((statement) => `${statement.text}\n${indent}`).join("");
  return [
    insertBefore(before, `${own}${text}`),
    ...moved.map((statement) => withoutStatement(source, statement)),
  ];
}

/** A statement and those that it needs, of the ones between another one and itself. */
function movedStatements(view: TritonView, before: SyntaxNode, last: SyntaxNode): readonly SyntaxNode[] {
  if (last.startIndex < before.startIndex) return [];
  const between = partsOf(view.body).filter(({ startIndex }) => startIndex > before.startIndex);
  return [...neededOf(between, last), last];
}

const neutral = { sum: "0.0", max: '-float("inf")', min: 'float("inf")' } as const;

function sumLines(
  { load, loop, mask, needed }: RowLoad,
  { kind, element, name }: RowSum,
  library: string,
): readonly string[] {
  const value = (tile: string): string =>
    `${library}where(${mask}, ${element.replaceAll("{x}", `${tile}.to(${library}float32)`)}, ${neutral[kind]})`;
  const tile = tileName(load);
  const loaded = tile === "" ? collapse(load.text) : tile;
  const whole = `${library}${kind}(${value(loop === undefined ? loaded : collapse(load.text))}, axis=0)`;
  if (loop === undefined) return [`${name} = ${whole}`];
  const head = `for ${loop.childForFieldName("left")?.text ?? ""} in ${collapse(loop.childForFieldName("right")?.text ?? "")}:`;
  const more = kind === "sum" ? `${name} += ${whole}` : `${name} = ${library}${kind}imum(${name}, ${whole})`;
  return [`${name} = ${neutral[kind]}`, head, ...[...needed, more].map((line) => `    ${line}`)];
}

/** The name that a row has in registers: `x` in `x = tl.load(…).to(tl.float32)`. */
function tileName(load: SyntaxNode): string {
  const [act] = partsOf(statementOf(load));
  const [name, value] = [act?.childForFieldName("left"), act?.childForFieldName("right")];
  const rest = value?.text.slice(load.text.length) ?? "";
  const isOwn = value?.startIndex === load.startIndex && /^(?:\.to\(\w+\.float32\))?$/.test(rest);
  return name?.type === "identifier" && isOwn ? name.text : "";
}

function withoutStatement(source: string, node: SyntaxNode): TextEdit {
  return { start: source.lastIndexOf("\n", node.startIndex), end: node.endIndex, text: "" };
}
