import { constantOf } from "../../../../language/cuda/body/forms";
import { statementsOf } from "../../../../language/cuda/body/loops";
import { compact } from "../../../../language/query";
import { freshName, indentOf, insertBefore, replaceNode, type TextEdit } from "../../edits";
import { formIn, type KernelView } from "../kernel";
import { factorOf } from "../launch/grid-edit";
import { scannedLoop } from "../scans/scanned-loop";
import { combinedByWarp } from "./carried-values";
import type { RowLoop } from "./thread-rows";

const warp = 32;

/** The lanes that share a row. */
interface Names {
  readonly lane: string;
  /** The lanes that share a row, as bits. */
  readonly mask: string;
  readonly lanes: number;
}

/** A loop of a row whose turns the lanes of a warp, or some of them, take. */
export function dealtLoop(view: KernelView, row: RowLoop, { lane, mask, lanes }: Names): readonly TextEdit[] {
  const { loop, carried, arrays, scan } = row;
  const indent = indentOf(view.source, loop.loop);
  if (scan !== undefined) {
    const scanned = scannedLoop(view, { loop, sum: scan, indent }, { lane, lanes, mask, total: scan.name });
    return [replaceNode(loop.loop, scanned)];
  }
  const offset = freshName(view.source, "offset");
  const element = freshName(view.source, "element");
  const braces = loop.loop.parent?.type !== "compound_statement";
  const sums = carried.flatMap(({ name, combination, online, variance }) =>
    [...(combination === "sum" ? [name] : [online?.total, variance?.squares, variance?.count])].flatMap(
      (each) => each ?? [],
    ),
  );
  const each = (size: string): string => `for (int ${element} = 0; ${element} < ${size}; ++${element})`;
  const seen = freshName(view.source, "seen");
  const uncounted = carried.some(({ variance }) => variance !== undefined && variance.count === undefined);
  const before = [
    ...(uncounted ? [`int ${seen} = 0;\n${indent}`] : []),
    ...sums.map((name) => `if (${lane} != 0) ${name} = 0;\n${indent}`),
    ...arrays.map(({ name, size }) => `if (${lane} != 0) ${each(size)} ${name}[${element}] = 0;\n${indent}`),
  ];
  const together = { seen, lanes, mask };
  const after = [
    ...carried.map((value) => combinedByWarp(value, offset, together)),
    ...arrays.map(({ name, size }) => {
      const value = { name: `${name}[${element}]`, combination: "sum" as const };
      return `${each(size)} ${combinedByWarp(value, offset, together)}`;
    }),
  ];
  return [
    insertBefore(loop.loop, `${braces ? "{ " : ""}${before.join("")}`),
    ...headEdits(view, row, { lane, mask, lanes }),
    ...(uncounted ? countedApart(loop, seen) : []),
    {
      ...{ start: loop.loop.endIndex, end: loop.loop.endIndex },
      text: `${after.map((line) => `\n${indent}${line}`).join("")}${braces ? " }" : ""}`,
    },
  ];
}

/**
 * The head of a loop whose turns the lanes take. Where it may end early, lanes go on together, so that each
 * knows whether one before it has come to the end.
 */
function headEdits(view: KernelView, { loop, stop }: RowLoop, names: Names): readonly TextEdit[] {
  const { start, update, variable, bound, condition, comparison } = loop;
  const { lane, mask, lanes } = names;
  const from = constantOf(formIn(view, start)) === 0 ? lane : `${factorOf(start.text)} + ${lane}`;
  if (stop === undefined) return [replaceNode(start, from), replaceNode(update, `${variable} += ${lanes}`)];
  const [turn, stopping] = [freshName(view.source, "turn"), freshName(view.source, "stopping")];
  const ended = `!(${variable} ${comparison} ${bound.text}) || (${stop.condition.text})`;
  const group = lanes === warp ? "" : ` >> threadIdx.x % ${warp} / ${lanes} * ${lanes}`;
  return [
    replaceNode(start, `${from}, ${turn} = ${start.text}`),
    replaceNode(condition, `${turn} ${comparison} ${bound.text}`),
    replaceNode(update, `${variable} += ${lanes}, ${turn} += ${lanes}`),
    replaceNode(
      stop.statement,
      `const unsigned ${stopping} = __ballot_sync(${mask}, ${ended})${group};\nif (${stopping} == 0 || ${lane} < __ffs(${stopping}) - 1) {`,
    ),
    { start: stop.last.endIndex, end: stop.last.endIndex, text: `\n}\nif (${stopping} != 0) break;` },
  ];
}

/** `i + 1` of a mean as the number of elements that the lane has seen. */
function countedApart({ body, variable }: RowLoop["loop"], seen: string): readonly TextEdit[] {
  const counts = body
    .descendantsOfType("binary_expression")
    .filter((node) => [`${variable}+1`, `1+${variable}`].includes(compact(node).replace(/\.0*f?$/, "")));
  const [first] = statementsOf(body);
  return [
    ...counts.map((node) => replaceNode(node, seen)),
    ...(first === undefined ? [] : [insertBefore(first, `++${seen}; `)]),
  ];
}
