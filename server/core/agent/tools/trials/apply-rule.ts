import { describeShare } from "../../../words/quantities";
import { type RankedProposal, rankRules } from "../../rulebook/ranking";
import { isCorrect } from "../../strategy";
import definition from "./apply-rule.json";
import { type KernelWorkbench, type Tool, textOf, toolDefinition } from "../tool";

export const applyRule: Tool = {
  definition: toolDefinition(definition),
  run: (given, { context, scratch, rulebook }: KernelWorkbench) => {
    const id = textOf(given, "candidate") || context.best.candidate.id;
    const judged = [context.baseline, ...context.candidates].find((each) => each.candidate.id === id);
    if (!judged || !isCorrect(judged))
      return Promise.resolve({
        kind: "error",
        text: `${id} is no correct candidate: rules need its counters.`,
      });
    const { proposals, held } = rankRules(rulebook, context, judged);
    const wanted = textOf(given, "rule");
    if (wanted === "") {
      const holds = held.map(({ rule, sentence }) => `- ${rule} holds back: ${sentence}`);
      const found = proposals.length > 0 ? `Rewrites of ${id}:` : `No rule fires on ${id}.`;
      return Promise.resolve({ kind: "text", text: [found, ...proposals.map(lineOf), ...holds].join("\n") });
    }
    const proposal = proposals.find(({ rule }) => rule === wanted);
    if (proposal === undefined)
      return Promise.resolve({
        kind: "error",
        text: `${wanted} has no rewrite for ${id}. These have: ${proposals.map(({ rule }) => rule).join(", ") || "none"}.`,
      });
    scratch.reset(proposal.tree, id);
    return Promise.resolve({
      kind: "text",
      text: `The scratch copy holds ${id} with this rewrite: ${proposal.hypothesis}`,
    });
  },
};

function lineOf({ rule, hypothesis, evidence, gain }: RankedProposal): string {
  return `- ${rule}: ${hypothesis} Evidence: ${evidence.sentence} (may save up to ${describeShare(gain)})`;
}
