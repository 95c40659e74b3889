import type { MemorySite } from "../../../emit/emitters/memory-site";
import type { Allocation } from "../../../memory/device-memory";
import { accessText } from "../faults";
import { threadText, tripleText } from "../findings";
import type { Triple } from "../../state/types";

/** One side of a race. */
export interface Party {
  readonly site: MemorySite | undefined;
  /** A strong access (PTX ISA section 8.4): it can synchronise. */
  readonly isStrong: boolean;
  readonly isCopy: boolean;
  readonly warp: number;
  /** Linear number of its block. */
  readonly owner: number;
  readonly block: Triple;
  readonly thread: Triple;
  readonly line: { readonly file: string; readonly line: number } | undefined;
  /** What the message adds for inlined code: see `SourceLines.inner`. */
  readonly inner: string;
}

/** A byte of memory. */
export interface Place {
  /** In shared memory, or in the allocation. */
  readonly offset: number;
  /** Undefined for shared memory. */
  readonly allocation: Allocation | undefined;
}

/** The coordinates that belong to a linear number. */
export function tripleOf(index: number, [width, height]: Triple): Triple {
  return [index % width, Math.floor(index / width) % height, Math.floor(index / (width * height))];
}

export function scopeOf({ site }: Party): string | undefined {
  return site?.instruction.matched.modifiers["scope"];
}

export function placeText({ offset, allocation }: Place): string {
  const space = allocation === undefined ? "shared" : `"${allocation.name}"`;
  return `${space}+0x${offset.toString(16)}`;
}

/** ` on line 5 of b.cu`: the line of one party; the file is left out where it is the other's. */
function lineText({ line }: Party, beside: Party): string {
  if (line === undefined) return "";
  return line.file === beside.line?.file ? ` on line ${line.line}` : ` on line ${line.line} of ${line.file}`;
}

/** What an asynchronous copy does with a place, and who has to wait for it. */
function copyText(
  { site }: Party,
  { isOwn, starter, line }: { readonly isOwn: boolean; readonly starter: string; readonly line: string },
): string {
  const need = isOwn
    ? "it has to wait for it first"
    : "that thread has to wait for it first, with a barrier behind";
  return site?.access === "load"
    ? `which a bulk copy that ${starter} started${line} may still be reading: ${need} (cp.async.bulk.wait_group.read)`
    : `the target of an asynchronous copy that ${starter} started${line} and that may still be under way: ${need}`;
}

/** A race in a sentence, which ends with what would order the two. */
export function describe(
  party: Party,
  other: Party,
  {
    place,
    isShared,
    missing,
  }: { readonly place: string; readonly isShared: boolean; readonly missing: string },
): string {
  const isSame = party.owner === other.owner;
  const who = threadText(party.thread, party.block);
  const { access = "load", bytes = 4 } = party.site ?? {};
  const what = accessText(access, { who, bytes, place });
  const line = lineText(other, party);
  const them = isSame ? `thread ${tripleText(other.thread)}` : threadText(other.thread, other.block);
  const where = isShared ? "shared" : "global";
  if (other.isCopy) {
    const isOwn = isSame && tripleText(party.thread) === tripleText(other.thread);
    return `race in ${where} memory: ${what}, ${copyText(other, { isOwn, starter: isOwn ? "it" : them, line })}`;
  }
  switch (other.site?.access ?? "load") {
    case "load":
      return `race in ${where} memory: ${what} that ${them} read${line}, ${missing}`;
    case "store":
      return `race in ${where} memory: ${what} that ${them} wrote${line}, ${missing}`;
    case "atomic":
      return `race in ${where} memory: ${what} that ${them} updated atomically${line}, ${missing}`;
  }
}

/** Which of the two accesses has the scope of its own block only. */
export function tooSmall(party: Party, other: Party): string {
  const [article, side] =
    scopeOf(party) === "cta" ? (["the", party] as const) : (["the other", other] as const);
  const noun = side.site?.access === "atomic" ? "atomic" : "access";
  return `${article} ${noun} is one for its own block only`;
}

/** An access to what is declared volatile. */
export function isVolatile({ site }: Pick<Party, "site">): boolean {
  return site?.instruction.matched.modifiers["weak"] === "volatile";
}
