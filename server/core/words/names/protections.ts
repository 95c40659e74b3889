import { retold, t } from "../../base/localized";
import table from "./protections.json";

/** What keeps a candidate from its inputs or from the machine. */
interface ProtectionWords {
  readonly name: string;
  /** In a verdict; not there for what no verdict names. */
  readonly said?: string;
  /** On the page that shows all walls; what it keeps from happening; the name of what brings it about. */
  readonly title?: string;
  readonly against?: string;
  readonly mend?: string;
}

/** One of the walls around a candidate's process, for people. */
type WallWords = Required<Omit<ProtectionWords, "said">>;

const known: readonly ProtectionWords[] = table;

/** All walls. */
export const walls: readonly WallWords[] = known.flatMap(({ name, title, against, mend }) =>
  title === undefined || against === undefined || mend === undefined ? [] : [{ name, title, against, mend }],
);

/** A protection by its name, in words; the name itself where a later version has written it. */
export function describeProtection(name: string): string {
  const said = known.find((each) => each.name === name)?.said;
  return said === undefined ? name : retold(said);
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
