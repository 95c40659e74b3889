import { edit } from "./edit";
import { finish } from "./finish";
import { profileLines } from "./profile-lines";
import { readFile } from "./read-file";
import { recall } from "./recall";
import { restore } from "./restore";
import { search } from "./search";
import { submitCandidate } from "./submit-candidate";
import type { Tool } from "./tool";

/** Everything that a model can do, in the order it is told. */
export const tools: readonly Tool[] = [
  readFile,
  search,
  edit,
  restore,
  submitCandidate,
  profileLines,
  recall,
  finish,
];
