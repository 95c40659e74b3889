import { askUser } from "./ask-user";
import { edit } from "./files/edit";
import { finish } from "./finish";
import { lookUp } from "./look-up";
import { profileLines } from "./profile-lines";
import { readFile } from "./files/read-file";
import { recall } from "./recall";
import { replaceLines } from "./files/replace-lines";
import { restore } from "./restore";
import { search } from "./files/search";
import { submitCandidate } from "./submit-candidate";
import type { Tool } from "./tool";
import { trialTools } from "./trials/index";
import { writeFile } from "./files/write-file";

/** Everything that a model can do, in the order it is told. */
export const tools: readonly Tool[] = [
  readFile,
  search,
  edit,
  replaceLines,
  writeFile,
  ...trialTools,
  restore,
  submitCandidate,
  profileLines,
  lookUp,
  askUser,
  recall,
  finish,
];
