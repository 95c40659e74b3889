import { retold, t } from "../base/localized";

/** What one rule would write anew of a kernel that was judged. */
export interface LineRewrite {
  /** What the rule does, in a few words. */
  readonly title: string;
  /** Of a run that tries this alone. */
  readonly strategy: string;
  /** Of the line whose counter speaks for it. */
  readonly file: string;
  /** One-based. */
  readonly line: number;
}

/** Why one rule of the rulebook proposes nothing at one place. */
interface HeldRule {
  /** What the rule does, in a few words. */
  readonly title: string;
  readonly because: string;
  readonly sentence: string;
  /** One-based line of the kernel's file. */
  readonly line: number;
}

/**
 * What holds rules back, as lines for the user: `Pad the rows of a shared tile: line 5: …`. The most telling
 * first, `most` at the most; rules for code that the kernel does not have are left out.
 */
export function heldRuleTexts(rules: readonly HeldRule[], most: number): readonly string[] {
  const related = rules.filter(({ because }) => because !== "no-pattern");
  const told = related.filter(
    ({ sentence, line }, index) =>
      related.findIndex((other) => other.sentence === sentence && other.line === line) === index,
  );
  return told
    .slice(0, most)
    .map(({ title, line, sentence }) => t`${retold(title)}: line ${line}: ${retold(sentence)}`);
}
