import type { SourceLines } from "../vgpu/analyse/source-lines";
import type { Access } from "./follow/execute";
import { constantForm, type Form, isMultiple, keyOf, minus, shifted, symbolsOf } from "./decide/form";
import type { Machine, Region } from "./follow/machine";
import type { Walked } from "./prove";

/** What is asked of every access of a kernel, or of every pair of them. */
type Question = "in-bounds" | "aligned" | "race-free";

/** What is known of one access, for all launches of a class. */
export interface AccessAnswer {
  readonly access: Access;
  readonly question: Question;
  /** Left out when it is proved. */
  readonly why?: string;
  /** Whether the address is a formula over what is known: no part of it comes from memory. */
  readonly isFollowed: boolean;
}

/** What would have to hold of an access: forms that are not negative where it is made, or a multiple. */
export type Claim = { readonly state: Access["state"] } & (
  | { readonly kind: "not-negative"; readonly forms: readonly Form[] }
  | { readonly kind: "multiple"; readonly form: Form; readonly of: number }
);

/** Whether each access lies in its memory, and at an address that its width allows. */
export function answersOf({ machine, accesses, lines }: Walked): readonly AccessAnswer[] {
  return accesses.flatMap((access) => {
    const bounds = outside(machine, lines, access);
    const alignment = access.bytes <= 1 ? undefined : misaligned(machine, lines, access);
    const common = { access, isFollowed: isFollowed(machine, access) };
    return [
      { ...common, question: "in-bounds" as const, ...(bounds !== undefined && { why: bounds }) },
      { ...common, question: "aligned" as const, ...(alignment !== undefined && { why: alignment }) },
    ];
  });
}

function isFollowed(machine: Machine, access: Access): boolean {
  const place = placeOf(machine, access);
  if (typeof place === "string") return false;
  return [...symbolsOf(place.offset)].every((symbol) => machine.symbols.of(symbol).unfollowed === undefined);
}

/** What a question comes to for an access; undefined where its memory or that one's size is not known. */
export function claimOf(
  { machine }: Pick<Walked, "machine">,
  { access, question }: Pick<AccessAnswer, "access" | "question">,
): Claim | undefined {
  const place = placeOf(machine, access);
  if (typeof place === "string") return undefined;
  const { region, offset } = place;
  const { state } = access;
  if (question === "aligned") return { kind: "multiple", state, form: offset, of: unitOf(access) };
  if (region.bytes === undefined) return undefined;
  const forms = [minus(offset, constantForm(startOf(access))), lastOf(access, region.bytes, offset)];
  return { kind: "not-negative", state, forms };
}

/** How many bytes lie behind an access in its memory. */
function lastOf({ bytes }: Access, extent: Form, offset: Form): Form {
  return minus(shifted(extent, -bytes), offset);
}

/** The name of the memory that an access is made to; undefined where it is not known. */
export function memoryOf(
  { machine }: Pick<Walked, "machine">,
  { access }: Pick<AccessAnswer, "access">,
): string | undefined {
  const place = placeOf(machine, access);
  return typeof place === "string" ? undefined : place.region.name;
}

/** The memory that an access is made to, and how far behind its start; a sentence where it is not known. */
function placeOf(
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
  const claim = claimOf({ machine }, { access, question: "in-bounds" });
  if (claim?.kind === "not-negative" && claim.forms.every((form) => machine.prover.holds(access.state, form)))
    return undefined;
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
