import type { Command } from "../command";

export const showLog: Command = {
  id: "kernelwright.showLog",
  async run(parts) {
    parts.log.show(true);
  },
};
