import type { Command } from "../command";

/** The list of lines, by cost or in their order. */
export const sortLines: Command = {
  id: "kernelwright.sortLines",
  run: ({ lines }) => {
    lines.toggleOrder();
    return Promise.resolve();
  },
};
