import { invariant } from "../../../base/assert";
import table from "./diagnoses.json";

/** The data of a diagnosis: what it names, when, and what it says. */
export interface DiagnosisEntry {
  readonly id: string;
  /** A word of causes.json. */
  readonly cause: string;
  readonly limits: Readonly<Record<string, number>>;
  /** What in the counters shows it, for docs/rulebook.md. */
  readonly shows: string;
  /** Blanks in braces, which the diagnosis fills. */
  readonly sentence: string;
}

const entries = (table as { readonly diagnoses: readonly unknown[] }).diagnoses as readonly DiagnosisEntry[];

/** Every entry of diagnoses.json, in its order. */
export function diagnosisEntries(): readonly DiagnosisEntry[] {
  return entries;
}

/** A limit of a diagnosis; a missing one is a bug. */
export function limitIn({ id, limits }: DiagnosisEntry, name: string): number {
  const value = limits[name];
  invariant(value !== undefined, `diagnosis ${id} has no limit ${name}`);
  return value;
}
