import type { OutsideTool } from "../../ports/model";
import type { ForeignTool } from "./tool";

/**
 * A tool of a server that the user named, as a model's tool. Nobody knows what it does, so the log counts it
 * among those that run something; what it answers is data, as the text of a file is.
 */
export function foreignTool({ name, description, parameters, call }: OutsideTool): ForeignTool {
  return {
    definition: { name, description, parameters, effect: "exec" },
    async runUnchecked(given) {
      const { text, failed } = await call(given);
      return { kind: failed ? "error" : "text", text };
    },
  };
}
