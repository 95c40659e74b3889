import { plural } from "../../../words/quantities";
import { verdictText } from "../../dialogue/verdict-text";
import compileDefinition from "./compile.json";
import tryDefinition from "./try.json";
import { type Tool, toolDefinition } from "../tool";

export const compile: Tool = {
  definition: toolDefinition(compileDefinition),
  async run(_given, { context, scratch }) {
    const built = await context.trials.compile(scratch.tree);
    if (built.kind !== "compiled") return { kind: "error", text: verdictText(built) };
    const facts = built.facts.map(
      (each) =>
        `- ${each.kernel}: ${each.registers} registers, ${each.spillStoreBytes + each.spillLoadBytes} bytes spilled, ${each.sharedBytes} bytes of static shared memory`,
    );
    return { kind: "text", text: ["It compiles.", ...facts].join("\n") };
  },
};

export const tryRun: Tool = {
  definition: toolDefinition(tryDefinition),
  async run(_given, { context, scratch }) {
    const outcome = await context.trials.run(scratch.tree);
    if (outcome.kind === "passed")
      return {
        kind: "text",
        text: `It compiles and is right in ${plural(outcome.cases, "run")} of the quick check.`,
      };
    return { kind: "error", text: verdictText(outcome) };
  },
};
