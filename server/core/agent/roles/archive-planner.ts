import * as z from "zod/mini";
import { type Outcome, fail, succeed } from "../../base/outcome";
import { readShape } from "../../base/shape";
import { type TimeThatCounts, timeThatCounts } from "../../judge/time-that-counts";
import { renderPrompt } from "../../prompts/render";
import { describeNanoseconds } from "../../words/quantities";
import { triedTable } from "../dialogue/tried-table";
import { budgetText } from "../dialogue/verdict-text";
import type { CorrectCandidate } from "../strategy";
import type { RoleOptions } from "./bottleneck-judge";
import { answerObject, longestText } from "./answer-object";
import { RoleModel, type RoleSession } from "./role-model";

/** Where to go on, and with what. */
export interface Plan {
  readonly parent: CorrectCandidate;
  /** For the model that writes the candidates. */
  readonly text: string;
}

/** Picks from the archive what the next round starts from. */
export interface Planner {
  /** Undefined where the planner has nothing to say: the engine picks then. */
  pick(versions: readonly CorrectCandidate[], session: RoleSession): Promise<Plan | undefined>;
}

const answerShape = z.looseObject({ candidate: z.string(), because: z.string(), idea: z.string() });

type Answer = z.infer<typeof answerShape>;

/** A model of its own that picks a version of the archive, and one idea to try on it. */
export function archivePlanner(options: RoleOptions): Planner {
  const { prompts } = options;
  const model = new RoleModel({ ...options, role: "planner" });
  const system = renderPrompt(prompts["planner-system"], {});
  return {
    pick: async (versions, session) => {
      const time = timeThatCounts(versions.map(({ verdict }) => verdict));
      const task = renderPrompt(prompts["planner-task"], {
        file: session.context.file,
        versions: versions.map((each) => versionText(each, time)).join("\n"),
        tried: triedTable(session.context),
        budget: budgetText(session.context.budget),
      });
      const read = (text: string): Outcome<Plan, string> => {
        const answer = answerObject(text, (value) => readShape(answerShape, value));
        if (!answer.ok) return answer;
        const parent = versions.find(({ candidate }) => candidate.id === answer.value.candidate);
        if (parent === undefined)
          return fail(
            `it picks ${JSON.stringify(answer.value.candidate.slice(0, 80))}, which was not offered`,
          );
        return succeed({ parent, text: renderPrompt(prompts["planner-note"], shortened(answer.value)) });
      };
      return model.ask({ system, task, read }, session);
    },
  };
}

function versionText({ candidate, verdict }: CorrectCandidate, time: TimeThatCounts): string {
  return `- \`${candidate.id}\`: ${describeNanoseconds(time.of(verdict))}, bound by ${verdict.bound.binding}: ${candidate.hypothesis}`;
}

function shortened({ candidate, because, idea }: Answer): Record<"candidate" | "because" | "idea", string> {
  return { candidate, because: because.slice(0, longestText), idea: idea.slice(0, longestText) };
}
