import * as z from "zod/mini";
import { InvariantError } from "../base/assert";
import { at } from "../base/known";
import { readShape } from "../base/shape";
import type { Finding, FindingParty } from "../judge/verdict";
import table from "./sanitizer-messages.json";

export interface SanitizerReport {
  readonly findings: readonly Finding[];
  /** Its last lines: `ERROR SUMMARY: 2 errors`. */
  readonly summaries: readonly string[];
  /** Headlines without a row in sanitizer-messages.json. */
  readonly unknown: readonly string[];
}

interface Kind {
  readonly pattern: RegExp;
  readonly kind: string;
}

const kinds: readonly Kind[] = readTable();

function readTable(): readonly Kind[] {
  const row = z.strictObject({ says: z.string(), kind: z.string() });
  const read = readShape(z.strictObject({ messages: z.array(row) }), table);
  if (!read.ok) throw new InvariantError(`sanitizer-messages.json: ${read.problem}`);
  return read.value.messages.map(({ says, kind }) => ({ pattern: new RegExp(`^${says}`), kind }));
}

const lead = /^========= ?/;

/** Whether a text has lines of compute-sanitizer. */
export function isSanitizerOutput(text: string): boolean {
  return /^=========/m.test(text);
}

/**
 * Reads the text that compute-sanitizer prints (memcheck, racecheck, initcheck, synccheck). Output of the
 * program between its lines is left out. A finding whose code has no line information is on line 0.
 */
export function readSanitizerReport(text: string): SanitizerReport {
  const groups: string[][] = [];
  const summaries: string[] = [];
  for (const line of text.split(/\r?\n/).filter((each) => lead.test(each))) {
    const words = line.replace(lead, "");
    if (/SUMMARY:/.test(words)) summaries.push(words.trim());
    else if (/^\S/.test(words)) groups.push([words.trim()]);
    else if (words.trim() !== "") groups.at(-1)?.push(words.trim());
  }
  const findings = groups.flatMap((group) => findingOf(group) ?? []);
  const unknown = groups
    .map((group) => at(group, 0))
    .filter((headline) => headline !== "COMPUTE-SANITIZER" && kindOf(headline) === undefined);
  return { findings: together(findings), summaries, unknown };
}

function kindOf(headline: string): string | undefined {
  return kinds.find(({ pattern }) => pattern.test(headline))?.kind;
}

/** File and line behind a place in code: `in scale.cu:6`. */
const place = /\bin (.+?):(\d{1,9})(?:$|[\s:[])/;
const thread = /by thread \((\d+),(\d+),(\d+)\) in block \((\d+),(\d+),(\d+)\)/;

function findingOf(group: readonly string[]): Finding | undefined {
  const headline = at(group, 0);
  const kind = kindOf(headline);
  if (kind === undefined) return undefined;
  const rest = group.slice(1);
  const own = [headline, ...rest].filter((line) => !line.startsWith("and "));
  const { file, line } = placeIn(own);
  const other = otherOf(rest);
  const [, tx, ty, tz, bx, by, bz] =
    rest.map((each) => thread.exec(each)).find((found) => found !== null) ?? [];
  const address = rest.find((each) => /^(Address|Access) /.test(each));
  return {
    kind: /is misaligned/.test(address ?? "") ? "misaligned" : kind,
    file,
    line,
    message: messageOf([headline, ...(address === undefined ? [] : [address])]),
    ...(tx === undefined
      ? {}
      : { thread: [Number(tx), Number(ty), Number(tz)], block: [Number(bx), Number(by), Number(bz)] }),
    ...(other === undefined ? {} : { other }),
  };
}

/** The first place named by the lines; of a race the first party's. */
function placeIn(lines: readonly string[]): { readonly file: string; readonly line: number } {
  const found = lines
    .filter((line) => !line.startsWith("Host Frame"))
    .map((line) => place.exec(line))
    .find((each) => each !== null);
  return { file: found?.[1] ?? "", line: Number(found?.[2] ?? 0) };
}

function otherOf(lines: readonly string[]): FindingParty | undefined {
  const line = lines.find((each) => /^and (Read|Write) access/.test(each));
  if (line === undefined) return undefined;
  return { access: line.startsWith("and Read") ? "read" : "write", ...placeIn([line.replace(/^and /, "")]) };
}

/** Headline and address; kernels' signatures and offsets in code are left out. */
function messageOf(lines: readonly string[]): string {
  return lines.map((line) => line.replace(/ at \S*\(.*$/, "").slice(0, 400)).join(": ");
}

/** The same finding on the same line counts up. */
function together(findings: readonly Finding[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const finding of findings) {
    const { kind, file, line, other } = finding;
    const key = JSON.stringify([kind, file, line, other?.file, other?.line]);
    const before = found.get(key);
    found.set(key, { ...(before ?? finding), count: (before?.count ?? 0) + 1 });
  }
  return [...found.values()];
}
