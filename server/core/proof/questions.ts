import type { SourceLines } from "../vgpu/analyse/source-lines";
import type { Access } from "./follow/execute";
import { constantForm, type Form, isMultiple, keyOf, minus, shifted, symbolsOf } from "./decide/form";
import type { Machine, Region } from "./follow/machine";
import type { Walked } from "./prove";

/** What is asked of every access of a kernel, or of every pair of them. */
export type Question = "in-bounds" | "aligned" | "race-free";

/** What is known of one access, for all launches of a class. */
export interface AccessAnswer {
  readonly access: Access;
  readonly question: Question;
  /** Left out when it is proved. */
  readonly why?: string;
}

/** Whether each access lies in its memory, and at an address that its width allows. */
export function answersOf({ machine, accesses, lines }: Walked): readonly AccessAnswer[] {
  return accesses.flatMap((access) => {
    const bounds = outside(machine, lines, access);
    const alignment = access.bytes <= 1 ? undefined : misaligned(machine, lines, access);
    return [
      { access, question: "in-bounds" as const, ...(bounds !== undefined && { why: bounds }) },
      { access, question: "aligned" as const, ...(alignment !== undefined && { why: alignment }) },
    ];
  });
}

/** The memory that an access is made to, and how far behind its start; a sentence where it is not known. */
export function placeOf(
  { regions }: Machine,
  { address, bytes }: Access,
): { readonly region: Region; readonly offset: Form } | string {
  if (bytes === 0) return "it takes part with other threads' addresses";
  if (address?.kind !== "number") return "its address is not followed";
  if (address.base === undefined) return "its address does not come from an argument";
  const region = regions.get(address.base);
  return region ? { region, offset: address.form } : "its memory is not known";
}

/** Why an access is not shown to lie in its memory; undefined when it is. */
function outside(machine: Machine, lines: SourceLines, access: Access): string | undefined {
  const place = placeOf(machine, access);
  if (typeof place === "string") return place;
  const { region, offset } = place;
  if (region.bytes === undefined) return `the size of ${region.name} is not known as a formula`;
  const start = startOf(access);
  const { prover } = machine;
  const isBehind = prover.holds(access.state, minus(offset, constantForm(start)));
  const last = minus(shifted(region.bytes, -access.bytes), offset);
  if (isBehind && prover.holds(access.state, last)) return undefined;
  return reasonFor(machine, lines, { access, offset });
}

/** Offsets of static shared arrays count from the start of shared memory. */
function startOf({ address }: Access): number {
  const [kind, start] = address?.kind === "number" ? (address.base ?? "").split(" ") : [];
  return kind === "shared" ? Number(start) : 0;
}

function misaligned(machine: Machine, lines: SourceLines, access: Access): string | undefined {
  const place = placeOf(machine, access);
  if (typeof place === "string") return place;
  const unit = unitOf(access);
  const { region, offset } = place;
  if (region.alignment % unit === 0 && isMultiple(offset, unit)) return undefined;
  return reasonFor(machine, lines, { access, offset });
}

/** Bytes that the address of an access has to be a multiple of. */
function unitOf({ bytes }: Access): number {
  return bytes;
}

/** Why nothing is shown: what the address depends on, or that the facts do not say enough. */
function reasonFor(
  { symbols, prover }: Machine,
  lines: SourceLines,
  { access, offset }: { readonly access: Access; readonly offset: Form },
): string {
  if (prover.isExhausted) return "the kernel is too large to be looked at further";
  for (const symbol of symbolsOf(offset)) {
    const { unfollowed, name } = symbols.of(symbol);
    if (unfollowed === undefined) continue;
    const line = lines.of(unfollowed.location)?.line;
    return `its address depends on ${name}${line === undefined ? "" : ` (line ${line})`}`;
  }
  return access.state.facts.length === 0 && keyOf(offset) !== ""
    ? "nothing bounds its address"
    : "what bounds its address was not enough";
}
