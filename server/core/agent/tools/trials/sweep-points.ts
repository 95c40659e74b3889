import { type Outcome, fail, succeed } from "../../../base/outcome";

/** Combinations that one sweep may try. */
const pointsAtMost = 32;

interface Constant {
  readonly name: string;
  readonly values: readonly string[];
}

/** One combination: the text of the file with it, and how it reads. */
export interface SweepPoint {
  readonly label: string;
  readonly text: string;
}

/**
 * The texts of a file for every combination of values. `constants`: `TILE = 32, 64; WARPS = 4, 8`. The
 * problem is a text for the model.
 */
export function sweepPoints(text: string, constants: string): Outcome<readonly SweepPoint[], string> {
  const read = readConstants(constants);
  if (!read.ok) return read;
  const missing = read.value.filter(({ name }) => definitionsOf(text, name).length === 0);
  if (missing.length > 0)
    return fail(
      `no definition of ${missing.map(({ name }) => name).join(", ")} with one number was found in the file: write one like \`#define NAME 4\`, \`constexpr int NAME = 4;\` or \`NAME = 4\``,
    );
  const count = read.value.reduce((product, { values }) => product * values.length, 1);
  if (count > pointsAtMost)
    return fail(
      `${count} combinations are more than ${pointsAtMost}: sweep fewer constants or values at a time`,
    );
  return succeed(
    read.value.reduce<readonly SweepPoint[]>(
      (points, { name, values }) =>
        points.flatMap((point) =>
          values.map((value) => ({
            label: [point.label, `${name}=${value}`].filter((part) => part !== "").join(" "),
            text: withValue(point.text, name, value),
          })),
        ),
      [{ label: "", text }],
    ),
  );
}

function readConstants(constants: string): Outcome<readonly Constant[], string> {
  const parts = constants.split(/[;\n]/).filter((part) => part.trim() !== "");
  const read: Constant[] = [];
  for (const part of parts) {
    const [, name, list] = /^\s*([A-Za-z_]\w*)\s*=\s*(.+)$/.exec(part) ?? [];
    const values = [...new Set((list ?? "").split(",").map((value) => value.trim()))];
    if (name === undefined || !values.every((value) => /^-?[\w.]+$/.test(value)))
      return fail(`"${part.trim()}" is no list of values: write it like TILE = 32, 64, 128`);
    read.push({ name, values });
  }
  return read.length > 0 ? succeed(read) : fail("no constant is named: write them like TILE = 32, 64, 128");
}

/** A macro, a constant or variable with an initial value, or a keyword argument: the name with one number. */
function definitionsOf(text: string, name: string): readonly RegExpMatchArray[] {
  const number = String.raw`(-?(?:0x[\da-fA-F]+|\d[\w.]*))`;
  const macro = String.raw`#[ \t]*define[ \t]+${name}[ \t]+\(?${number}`;
  const assigned = String.raw`(?<![\w.])${name}[ \t]*(?::[ \t]*[\w.]+[ \t]*)?=[ \t]*${number}(?![\w.]*[ \t]*[-+*/%<>])`;
  return [...text.matchAll(new RegExp(`${macro}|${assigned}`, "gd"))];
}

function withValue(text: string, name: string, value: string): string {
  const places = definitionsOf(text, name).flatMap(({ indices }) => indices?.[1] ?? indices?.[2] ?? []);
  let [result, from] = ["", 0];
  for (let index = 0; index + 1 < places.length; index += 2) {
    const [start = 0, end = 0] = [places[index], places[index + 1]];
    result += text.slice(from, start) + value;
    from = end;
  }
  return result + text.slice(from);
}
