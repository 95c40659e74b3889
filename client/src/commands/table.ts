import type { Command } from "./command";
import { choosing } from "./table-choosing";
import { editing } from "./table-editing";
import { reviewing } from "./table-reviewing";
import { running } from "./table-running";
import { settingUp } from "./table-setting-up";

/** Every command of the manifest; a test compares the two. */
export const commandTable: readonly Command[] = [
  ...running,
  ...choosing,
  ...settingUp,
  ...reviewing,
  ...editing,
];
