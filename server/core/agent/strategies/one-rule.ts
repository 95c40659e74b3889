import { ruleTitle } from "../rulebook/rule-table";
import { rankRules, type Rulebook } from "../rulebook/ranking";
import { isCorrect, type Strategy, type StrategyContext } from "../strategy";
import type { MadeStrategy, StrategyParts } from "./entry";
import { asCandidate, cannotMend, rulebook, wasTried } from "./rulebook";

/** A rule, and the line whose counter speaks for its rewrite, from 1. */
interface RuleAtLine {
  readonly rule: string;
  readonly line: number;
}

/** The strategy that tries one rule at one line, by its name. */
export function oneRule(name: string, parts: StrategyParts): MadeStrategy | undefined {
  const [, rule = "", line = ""] = /^rulebook:([\w-]+):(\d+)$/.exec(name) ?? [];
  if (ruleTitle(rule) === undefined) return undefined;
  return { strategy: oneRuleStrategy(parts, { rule, line: Number(line) }) };
}

/** The name of that strategy. */
export function nameOfOneRule({ rule, line }: RuleAtLine): string {
  return `${rulebook.id}:${rule}:${line}`;
}

/**
 * One rule's rewrite of the kernel as it is, and its other ways to mend the same line; nothing is built upon
 * what won.
 */
function oneRuleStrategy(options: Rulebook, { rule, line }: RuleAtLine): Strategy {
  return {
    name: nameOfOneRule({ rule, line }),
    state: () => ({}),
    async propose(context: StrategyContext) {
      const { baseline } = context;
      if (!isCorrect(baseline)) return cannotMend(baseline);
      const ways = rankRules(options, context, baseline).proposals.filter(
        (each) => each.rule === rule && each.evidence.line === line,
      );
      const next = ways.find(({ tree }) => !wasTried(tree, context));
      if (next !== undefined) return asCandidate(next, baseline);
      return { kind: "done", reason: whyDone({ rule, line }, ways.length > 0) };
    },
  };
}

function whyDone({ rule, line }: RuleAtLine, isTried: boolean): string {
  const title = ruleTitle(rule) ?? rule;
  return isTried
    ? `the rule “${title}” was tried at line ${line}`
    : `the rule “${title}” has no rewrite for line ${line} as it is now`;
}
