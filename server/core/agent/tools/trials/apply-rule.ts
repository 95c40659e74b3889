import type { HeldRule } from "../../../trajectory/events";
import { describeShare, plural } from "../../../words/quantities";
import { type RankedProposal, rankRules } from "../../rulebook/ranking";
import { isCorrect } from "../../strategy";
import definition from "./apply-rule.json";
import { type KernelWorkbench, type Tool, type ToolAnswer, numberOf, textOf, toolDefinition } from "../tool";

export const applyRule: Tool = {
  definition: toolDefinition(definition),
  async run(given, { context, scratch, rulebook }: KernelWorkbench) {
    const id = textOf(given, "candidate") || context.best.candidate.id;
    const judged = await context.judged(id);
    if (!judged || !isCorrect(judged))
      return error(`${id} is no correct candidate: rules need its counters.`);
    const { proposals, held } = rankRules(rulebook, context, judged);
    const wanted = textOf(given, "rule");
    const number = numberOf(given, "number");
    if (wanted === "") {
      if (number !== undefined)
        return error("`number` counts the rewrites of one rule: name it as `rule`, too.");
      const found = proposals.length > 0 ? `Rewrites of ${id}:` : `No rule fires on ${id}.`;
      return text(
        [found, ...proposals.map((each) => lineOf(each, proposals)), ...holdLines(held)].join("\n"),
      );
    }
    const rewrites = proposals.filter(({ rule }) => rule === wanted);
    if (rewrites.length === 0) {
      const names = new Set(proposals.map(({ rule }) => rule));
      const why = held.find(({ rule }) => rule === wanted)?.sentence;
      const because = why === undefined ? "" : ` (${why})`;
      const others = [...names].join(", ") || "none";
      return error(`${wanted} has no rewrite for ${id}${because}. These have: ${others}.`);
    }
    const proposal = rewrites[(number ?? 1) - 1];
    if (proposal === undefined)
      return error(
        [
          `${wanted} has no rewrite ${number} for ${id}. It has:`,
          ...rewrites.map((each) => lineOf(each, proposals)),
        ].join("\n"),
      );
    scratch.reset(proposal.tree, id);
    const others = rewrites.filter((each) => each !== proposal).map((each) => lineOf(each, proposals));
    const rest = others.length === 0 ? [] : [`Not in it, by \`number\`:`, ...others];
    return text(
      [`The scratch copy holds ${id} with this rewrite: ${proposal.hypothesis}`, ...rest].join("\n"),
    );
  },
};

/** Why rules hold back that have something to do with the kernel; of the others only how many there are. */
function holdLines(held: readonly HeldRule[]): readonly string[] {
  const telling = held.filter(({ because }) => because !== "no-pattern" && because !== "no-evidence");
  const rest = held.length - telling.length;
  const others = `${plural(rest, "other rule")} of the rulebook found nothing to do here.`;
  return [
    ...telling.map(({ rule, sentence }) => `- ${rule} holds back: ${sentence}`),
    ...(rest > 0 ? [others] : []),
  ];
}

function text(words: string): ToolAnswer {
  return { kind: "text", text: words };
}

function error(words: string): ToolAnswer {
  return { kind: "error", text: words };
}

/**
 * One rewrite of the list: its rule, the number among that rule's where it has several, the line whose
 * counter speaks for it.
 */
function lineOf(proposal: RankedProposal, proposals: readonly RankedProposal[]): string {
  const { rule, hypothesis, evidence, gain } = proposal;
  const rewrites = proposals.filter((each) => each.rule === rule);
  const number = rewrites.length > 1 ? ` number ${rewrites.indexOf(proposal) + 1}` : "";
  const reason = `Evidence: ${evidence.sentence} (may save up to ${describeShare(gain)})`;
  return `- ${rule}${number} (${evidence.file}:${evidence.line}): ${hypothesis} ${reason}`;
}
