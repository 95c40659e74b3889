import type { Command } from "../command";

export const clearFacts: Command = {
  id: "kernelwright.clearFacts",
  async run(parts) {
    parts.facts.clear();
  },
};
