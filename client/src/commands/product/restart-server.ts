import type { Command } from "../command";

export const restartServer: Command = {
  id: "kernelwright.restartServer",
  run: (parts) => parts.connection.restart(),
};
