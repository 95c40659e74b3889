import { askUser } from "./ask-user";
import { edit } from "./files/edit";
import { finish } from "./finish";
import { readFile } from "./files/read-file";
import { recall } from "./recall";
import { replaceLines } from "./files/replace-lines";
import { restore } from "./restore";
import { search } from "./files/search";
import type { Tool } from "./tool";
import { commandRuns } from "./trials/command-runs";
import { writeFile } from "./files/write-file";

/** Those that need no kernel: for targets with a command. */
export const commandTools: readonly Tool[] = [
  readFile,
  search,
  edit,
  replaceLines,
  writeFile,
  restore,
  ...commandRuns,
  askUser,
  recall,
  finish,
];
