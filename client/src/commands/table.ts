import type { Command } from "./command";
import { editing } from "./table-editing";
import { running } from "./table-running";

/** Every command of the manifest; a test compares the two. */
export const commandTable: readonly Command[] = [...running, ...editing];
