import { type CountedLoop, statementsOf } from "../../../../language/cuda/body/loops";
import { freshName } from "../../edits";
import type { KernelView } from "../kernel";
import type { RunningSum } from "./running-sum";

/** Lanes that take the turns of a loop, side by side. */
interface Lanes {
  /** A lane's number among them. */
  readonly lane: string;
  readonly lanes: number;
  readonly mask: string;
  /** The variable of every lane that holds the sum so far; it begins as the loop found it. */
  readonly total: string;
}

/**
 * The loop as lanes do it: each reckons what its turn adds, finds by shuffles what those before it add, and
 * does the turn with the sum that it would have met.
 */
export function scannedLoop(
  { source }: KernelView,
  { loop, sum, indent }: { readonly loop: CountedLoop; readonly sum: RunningSum; readonly indent: string },
  { lane, lanes, mask, total }: Lanes,
): string {
  const { variable, comparison, bound, start, body } = loop;
  const { name, type, added } = sum;
  const word = (plain: string): string => freshName(source, plain);
  const [base, own, scanned] = [word(`${variable}Base`), word("added"), word("scanned")];
  const [offset, below, met] = [word("offset"), word("below"), word("met")];
  const plain = loop.type.replace(/\bconst\b/g, "").trim();
  const inside = `${variable} ${comparison} ${bound.text}`;
  const lines = [
    `for (${plain} ${base} = ${start.text}; ${base} ${comparison} ${bound.text}; ${base} += ${lanes}) {`,
    `  const ${plain} ${variable} = ${base} + ${lane};`,
    `  ${type} ${own} = 0;`,
    `  if (${inside}) ${own} = ${added};`,
    `  ${type} ${scanned} = ${own};`,
    `  for (int ${offset} = 1; ${offset} < ${lanes}; ${offset} *= 2) {`,
    `    const ${type} ${below} = __shfl_up_sync(${mask}, ${scanned}, ${offset}, ${lanes});`,
    `    if (${lane} >= ${offset}) ${scanned} += ${below};`,
    "  }",
    `  const ${type} ${below} = __shfl_up_sync(${mask}, ${scanned}, 1, ${lanes});`,
    `  const ${type} ${met} = ${lane} == 0 ? ${total} : ${total} + ${below};`,
    `  ${total} += __shfl_sync(${mask}, ${scanned}, ${lanes - 1}, ${lanes});`,
    `  if (${inside}) {`,
    `    ${type} ${name} = ${met};`,
    ...statementsOf(body).map((statement) => `    ${statement.text}`),
    "  }",
    "}",
  ];
  return lines.join(`\n${indent}`);
}
