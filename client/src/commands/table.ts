import type { Command } from "./command";
import { editing } from "./table-editing";
import { running } from "./table-running";
import { settingUp } from "./table-setting-up";

/** Every command of the manifest; a test compares the two. */
export const commandTable: readonly Command[] = [...running, ...settingUp, ...editing];
