import type { SyntaxNode } from "../../../../language/tree";
import { freshName } from "../../edits";
import type { TurnNumber, TurnValue } from "./turn-value";

/** A table of a value in shared memory. */
export interface Table {
  readonly name: string;
  /** The name of the condition that it holds all turns of its loops. */
  readonly whole: string;
  readonly value: TurnValue;
  /** How many entries it has for each of the value's numbers. */
  readonly counts: readonly number[];
  /** Where the value is computed so far. */
  readonly nodes: readonly SyntaxNode[];
}

/** Entries of a table of one number or two. */
export function entriesOf(counts: readonly number[]): number {
  return counts.reduce((product, count) => product * count, 1);
}

interface Filling {
  readonly source: string;
  /** True where the block has one dimension. */
  readonly flat: boolean;
}

/** The declaration of a table and the loop in which the block fills it. */
export function filled(table: Table, { source, flat }: Filling): readonly string[] {
  const { numbers } = table.value;
  const thread = flat ? "threadIdx.x" : "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x";
  const step = flat ? "blockDim.x" : "blockDim.x * blockDim.y * blockDim.z";
  const how = { place: freshName(source, "entry"), thread, step };
  const loop = numbers.length === 1 ? filledLine(table, how) : filledPlane(table, source, how);
  const whole = wholeText(table);
  return [
    `__shared__ float ${table.name}[${entriesOf(table.counts)}];`,
    ...loop,
    ...(whole === undefined ? [] : [`const bool ${table.whole} = ${whole};`]),
  ];
}

/** The condition on which a table holds all turns of its loops; undefined where numbers say so one by one. */
function wholeText({ value: { numbers }, counts }: Table): string | undefined {
  if (numbers.some(({ kind }) => kind !== "turn")) return undefined;
  const parts = numbers.map(({ start, end, inclusive }, index) => {
    const length = start === "0" ? end : `${end} - (${start})`;
    return `${length} ${inclusive ? "<" : "<="} ${counts[index]}`;
  });
  return parts.join(" && ");
}

interface Walk {
  /** The variable that walks over the entries. */
  readonly place: string;
  readonly thread: string;
  readonly step: string;
}

function filledLine({ name, counts, value }: Table, { place, thread, step }: Walk): readonly string[] {
  const [number] = value.numbers;
  if (number === undefined) return [];
  const { start, end, text } = number;
  const [from, limit] = start === "0" ? [0, `${counts[0]}`] : [start, `(${start}) + ${counts[0]}`];
  const begin = from === 0 ? thread : `(${start}) + ${thread}`;
  const index = from === 0 ? place : `${place} - (${start})`;
  const inside = `${place} < ${limit} && ${place} ${comparison(number)} ${end}`;
  return [
    `for (int ${place} = ${begin}; ${inside}; ${place} += ${step})`,
    `  ${name}[${index}] = ${value.written(new Map([[text, place]]))};`,
  ];
}

function filledPlane(
  { name, counts, value: { numbers, written } }: Table,
  source: string,
  { place, thread, step }: Walk,
): readonly string[] {
  const [first, second] = numbers;
  if (first === undefined || second === undefined) return [];
  const [row, column] = [freshName(source, "entryRow"), freshName(source, "entryColumn")];
  const text = written(
    new Map([
      [first.text, row],
      [second.text, column],
    ]),
  );
  const inside = `${row} ${comparison(first)} ${first.end} && ${column} ${comparison(second)} ${second.end}`;
  return [
    `for (int ${place} = ${thread}; ${place} < ${entriesOf(counts)}; ${place} += ${step}) {`,
    `  const int ${row} = ${from(first)}${place} / ${counts[1]}, ${column} = ${from(second)}${place} % ${counts[1]};`,
    `  if (${inside}) ${name}[${place}] = ${text};`,
    "}",
  ];
}

function comparison({ inclusive }: TurnNumber): string {
  return inclusive ? "<=" : "<";
}

function from({ start }: TurnNumber): string {
  return start === "0" ? "" : `(${start}) + `;
}

/** The value out of the table, or computed where the table ends before. */
export function lookedUp(table: Table, node: SyntaxNode): string {
  const { name, counts, value } = table;
  const { numbers } = value;
  const places = numbers.map(({ start, text }) => (start === "0" ? text : `${text} - (${start})`));
  const inside = places.map((place, index) => `static_cast<unsigned>(${place}) < ${counts[index]}u`);
  const [first = "0", second] = places;
  const index =
    second === undefined ? first : `${/^\w+$/.test(first) ? first : `(${first})`} * ${counts[1]} + ${second}`;
  const asked = wholeText(table) === undefined ? inside.join(" && ") : table.whole;
  return `(${asked} ? ${name}[${index}] : ${node.text})`;
}
