import type { Command } from "../command";

export const doctor: Command = {
  id: "kernelwright.doctor",
  runsCode: true,
  run(parts) {
    parts.doctor.open();
    return Promise.resolve();
  },
};
