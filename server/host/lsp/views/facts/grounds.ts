import type { Verdict } from "../../../../core/judge/verdict";
import {
  describeFailure,
  describeFinding,
  describeInputs,
  describeShape,
} from "../../../../core/words/describe";
import type { ProposalSide } from "../../../../core/trajectory/events";
import { termOf } from "../../../../core/timing/bound";
import { kernelFaults } from "../../../../core/words/line-faults";
import { describeSimulated, termNames } from "../../../../core/words/names/bound-words";
import { resourceWords } from "../../../../core/words/names/names";
import { describeNanoseconds, signedPercent } from "../../../../core/words/quantities";
import { madeHowLink } from "../../handshake/pages";
import { shown, t } from "../../handshake/user-language";

/** `0.02`, `2.01e-5`: three significant digits. */
function short(value: number): string {
  const rounded = Number(value.toPrecision(3));
  return rounded !== 0 && Math.abs(rounded) < 0.001 ? rounded.toExponential() : String(rounded);
}

/**
 * Markdown table of the checked cases, and where the page lies that says how numbers are made. A held-out
 * shape is not named: the user may paste this to a model.
 */
export const caseTable = shown(
  (verdict: Extract<Verdict, { kind: "correct" | "wrong" }>): readonly string[] => {
    const page = madeHowLink();
    return [
      t`| shape | inputs | tolerance | result |`,
      "| --- | --- | --- | --- |",
      ...verdict.cases.map((checked) => {
        const findings = checked.findings.map(describeFinding).join("; ");
        const result = checked.passed ? t`passed` : (describeFailure(checked) ?? t`failed`);
        const { absolute, relative } = checked.tolerance;
        const cells = [
          checked.shape.heldOut === true ? t`hidden shape` : describeShape(checked.shape),
          describeInputs(checked),
          `${short(absolute)} + ${short(relative)}·\\|x\\|`,
          `${result}${checked.passed && findings !== "" ? ` (${findings})` : ""}`,
        ];
        return `| ${cells.join(" | ")} |`;
      }),
      "",
      ...(verdict.cases.some(({ shape }) => shape.heldOut === true)
        ? [t`Held out: a size that is checked, and not shown to whoever proposes changes.`, ""]
        : []),
      ...(page === undefined ? [] : [t`[How these numbers are made](${page})`, ""]),
    ];
  },
);

/**
 * Markdown table of what each shape costs in two versions, by the modelled bound: a gain on one may be paid
 * for on another. Nothing where fewer than two shapes were counted of both. A held-out shape is not named, as
 * in the table of cases.
 */
export const shapeTable = shown((before: Verdict | null, after: Verdict | null): readonly string[] => {
  if (before?.kind !== "correct" || after?.kind !== "correct") return [];
  const then = new Map(before.shapeCosts?.map((cost) => [keyOf(cost.sizes), cost.nanoseconds]));
  const hidden = new Set(
    after.cases.filter(({ shape }) => shape.heldOut === true).map(({ shape }) => keyOf(shape.sizes)),
  );
  const rows = (after.shapeCosts ?? []).flatMap(({ sizes, nanoseconds }) => {
    const key = keyOf(sizes);
    const earlier = then.get(key);
    if (earlier === undefined) return [];
    const name = hidden.has(key) ? t`hidden shape` : describeShape({ sizes });
    const times = [earlier, nanoseconds].map(describeNanoseconds).join(" | ");
    return [`| ${name} | ${times} | ${signedPercent(nanoseconds / earlier - 1)} |`];
  });
  if (rows.length < 2) return [];
  return [
    t`| modelled bound by shape | before | after | change |`,
    "| --- | ---: | ---: | ---: |",
    ...rows,
    "",
  ];
});

function keyOf(sizes: Readonly<Record<string, number>>): string {
  return JSON.stringify(sizes);
}

/** The lines of a version that cost most beyond their ideal, under a title. */
export function faultLines(title: string, side: ProposalSide): readonly string[] {
  const faults = kernelFaults(side.counters).slice(0, 3);
  return faults.length === 0
    ? []
    : [
        `${title}:`,
        "",
        ...faults.map((fault) => `- ${fault.line.file}:${fault.line.line}: ${fault.text}`),
        "",
      ];
}

/** Rows of a table: the simulated time, the bound and its terms, before and after. */
export function termRows(before: ProposalSide, after: ProposalSide): readonly string[] {
  const names = termNames(before.bound, after.bound);
  const term = (side: ProposalSide, name: string): string => describeNanoseconds(termOf(side.bound, name));
  const simulated = describeSimulated(before.bound, after.bound);
  return [
    ...(simulated === undefined ? [] : [t`| simulated time | ${simulated.replace(" → ", " | ")} |`]),
    t`| modelled bound | ${describeNanoseconds(before.bound.nanoseconds)} | ${describeNanoseconds(after.bound.nanoseconds)} |`,
    ...names.map((name) => `| ${resourceWords(name)} | ${term(before, name)} | ${term(after, name)} |`),
  ];
}
