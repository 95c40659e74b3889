import { type Outcome, fail } from "../../base/outcome";
import { parseJson } from "../tools/arguments";

/** The longest text of an answer that is handed on, in characters. */
export const longestText = 800;

/**
 * The JSON object that a role was asked for. Models like to put a fence or a sentence around it. The problem
 * says in a sentence what is wrong.
 */
export function answerObject<Answer>(
  text: string,
  read: (value: unknown) => Outcome<Answer, string>,
): Outcome<Answer, string> {
  const parsed = parseJson(text.slice(Math.max(0, text.indexOf("{")), text.lastIndexOf("}") + 1));
  if (!parsed.ok) return fail(`its answer is no JSON object (${parsed.problem})`);
  const answer = read(parsed.value);
  return answer.ok ? answer : fail(`its answer has another form: ${answer.problem}`);
}
