import type { Command } from "../command";

export const refreshSessions: Command = {
  id: "kernelwright.refreshSessions",
  run: (parts) => parts.feed.reload(),
};
