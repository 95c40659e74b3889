import { longestQuestion } from "../dialogue/user/questions";
import definition from "./ask-user.json";
import { type Tool, textOf, toolDefinition } from "./tool";

/** Characters; a message of the user's has room for these and the question. */
const mostOfAnswer = 3000;

/** What the user answers holds as anything that they say: every later conversation hears it too. */
export const askUser: Tool = {
  definition: toolDefinition(definition),
  async run(given, { context }) {
    const question = textOf(given, "question").trim();
    if (question === "") return { kind: "error", text: "The question is empty." };
    if (question.length > longestQuestion)
      return {
        kind: "error",
        text: `The question has ${question.length} characters; at most ${longestQuestion} are put to the user.`,
      };
    const answer = await context.questions.ask(question);
    switch (answer.kind) {
      case "answer":
        await context.guidance.say(
          `You asked: ${question}\nMy answer: ${answer.text.slice(0, mostOfAnswer)}`,
        );
        return { kind: "text", text: "The user has answered; the answer is their next message." };
      case "nobody":
        return {
          kind: "error",
          text: "Nobody is there to answer. Decide by yourself, and say in the hypothesis what you assumed.",
        };
      case "spent":
        return { kind: "error", text: "No further question is put to the user in this session." };
    }
  },
};
