import { retold, t } from "../../base/localized";
import table from "./protections.json";

const words: Readonly<Record<string, string>> = table;

/** A protection by its name, in words; the name itself where a later version has written it. */
export function describeProtection(name: string): string {
  const known = words[name];
  return known === undefined ? name : retold(known);
}

/**
 * What kept a candidate from knowing its inputs and from reaching the machine, as one line: of the verdict's
 * `protections`. No line for logs that do not say it.
 */
export function protectionLines(protections: readonly string[] | undefined): readonly string[] {
  if (protections === undefined) return [];
  if (protections.length === 0) return [t`protected by nothing: no walls, and inputs that could be known`];
  return [t`protected: ${protections.map(describeProtection).join("; ")}`];
}
