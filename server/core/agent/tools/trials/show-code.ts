import { type Outcome, fail, succeed } from "../../../base/outcome";
import {
  type CodeRow,
  type LineRange,
  listRows,
  machineRows,
  ptxRows,
  tritonRows,
} from "../../../listing/index";
import type { KernelCode } from "../../../ports/evaluator";
import { describeNanoseconds, describeShare, plural } from "../../../words/quantities";
import { type LineCosts, lineCosts } from "../../dialogue/line-costs";
import { verdictText } from "../../dialogue/verdict-text";
import { isCorrect } from "../../strategy";
import definition from "./show-code.json";
import { type Tool, type ToolArguments, type Workbench, numberOf, textOf, toolDefinition } from "../tool";

/** Of one kernel; more is read in parts. */
const shownAtMost = { rows: 240, characters: 12_000 } as const;
const kernelsAtMost = 4;

/** PTX, machine code or Triton's representation of a range of source lines. */
export const showCode: Tool = {
  definition: toolDefinition(definition),
  async run(given, workbench) {
    const { context, scratch } = workbench;
    const form = textOf(given, "form");
    if (!isForm(form))
      return { kind: "error", text: `"${form}" is no form; write one of: ${Object.keys(forms).join(", ")}.` };
    const code = await context.trials.code(scratch.tree);
    if (code.kind !== "code") return { kind: "error", text: verdictText(code) };
    const wanted = textOf(given, "kernel");
    const kernels = code.kernels.filter(({ symbol }) => symbol.includes(wanted));
    if (kernels.length === 0)
      return {
        kind: "error",
        text: `No kernel has "${wanted}" in its name. There are: ${code.kernels.map(({ symbol }) => symbol).join(", ")}.`,
      };
    const range = rangeOf(given, workbench);
    const costs = await costsOf(workbench);
    const texts = kernels.slice(0, kernelsAtMost).map((kernel) => {
      const rows = forms[form](kernel);
      const text = rows.ok ? listingText(rows.value, range, headings(range, workbench, costs)) : rows.problem;
      return `${kernel.symbol}: ${text}`;
    });
    const left = kernels.length - texts.length;
    return {
      kind: "text",
      text: [
        ...(costs ? [] : ["What lines cost is known once these files have been judged."]),
        ...texts,
        ...(left > 0 ? [`(${plural(left, "more kernel")}; name one with \`kernel\`)`] : []),
      ].join("\n\n"),
    };
  },
};

const forms = {
  ptx: ({ ptx, symbol }: KernelCode): Outcome<readonly CodeRow[], string> => succeed(ptxRows(ptx, symbol)),
  sass: ({ cubin, symbol }: KernelCode): Outcome<readonly CodeRow[], string> => {
    const rows = machineRows(cubin, symbol);
    return rows.ok ? rows : fail(`its machine code cannot be read: ${rows.problem.message}`);
  },
  triton: ({ stages }: KernelCode): Outcome<readonly CodeRow[], string> =>
    stages?.ttgir === undefined
      ? fail("Triton did not compile it; ask for ptx or sass")
      : succeed(tritonRows(stages.ttgir)),
} as const;

function isForm(text: string): text is keyof typeof forms {
  return Object.hasOwn(forms, text);
}

function rangeOf(given: ToolArguments, { context }: Workbench): LineRange {
  return {
    file: textOf(given, "path") || context.file,
    first: numberOf(given, "first_line") ?? 1,
    last: numberOf(given, "last_line") ?? Number.MAX_SAFE_INTEGER,
  };
}

type Headings = (line: number, isFirst: boolean) => string;

function listingText(rows: readonly CodeRow[], range: LineRange, headingOf: Headings): string {
  const { text, rows: all, shown } = listRows(rows, range, headingOf, shownAtMost);
  if (all === 0) return `nothing comes from lines ${range.first} to ${range.last} of ${range.file}.`;
  const left = shown < all ? `\n(${all - shown} of ${all} are left out: ask for fewer lines)` : "";
  return `${all} from lines ${range.first} to ${range.last} of ${range.file}\n${text}${left}`;
}

/** The source line, and the first time what it costs in the unit of the objective. */
function headings({ file }: LineRange, { scratch }: Workbench, costs: CostOfLine | undefined): Headings {
  const source = scratch.read(file)?.split("\n") ?? [];
  return (line, isFirst) => {
    const text = source[line - 1]?.trim().slice(0, 100) ?? "";
    const cost = isFirst ? costs?.(file, line) : undefined;
    return `${line}: ${text}${cost === undefined ? "" : `  [${cost}]`}`;
  };
}

type CostOfLine = (file: string, line: number) => string | undefined;

/** Of the judged candidate whose files the scratch copy holds; undefined where there is none. */
async function costsOf({ context, scratch }: Workbench): Promise<CostOfLine | undefined> {
  const id = context.withFiles(scratch.tree);
  const judged = id === undefined ? undefined : await context.judged(id);
  if (judged === undefined || !isCorrect(judged)) return undefined;
  const costs: LineCosts = lineCosts(judged.verdict);
  return (file, line) => {
    const counted = judged.verdict.counters.lines.find((each) => each.file === file && each.line === line);
    if (counted === undefined) return undefined;
    const { nanoseconds, binding } = costs.of(counted);
    return `alone ${describeNanoseconds(nanoseconds)} ${binding}, ${describeShare(costs.share(counted))} of all lines`;
  };
}
