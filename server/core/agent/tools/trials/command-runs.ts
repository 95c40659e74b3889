import { verdictText } from "../../dialogue/verdict-text";
import compileDefinition from "./command-compile.json";
import submitDefinition from "./command-submit.json";
import tryDefinition from "./command-try.json";
import { submitCandidate } from "../submit-candidate";
import { type Tool, toolDefinition } from "../tool";

const buildOnly: Tool = {
  definition: toolDefinition(compileDefinition),
  async run(_given, { context, scratch }) {
    const built = await context.trials.compile(scratch.tree);
    if (built.kind !== "compiled") return { kind: "error", text: verdictText(built) };
    return { kind: "text", text: "It builds." };
  },
};

const measureOnce: Tool = {
  definition: toolDefinition(tryDefinition),
  async run(_given, { context, scratch }) {
    const verdict = await context.trials.price(scratch.tree);
    return { kind: verdict.kind === "scored" ? "text" : "error", text: verdictText(verdict) };
  },
};

const submit: Tool = { ...submitCandidate, definition: toolDefinition(submitDefinition) };

/** The same calls as for kernels, in the words of targets with a command. */
export const commandRuns: readonly Tool[] = [buildOnly, measureOnce, submit];
