import type { Routes } from "../../handler";
import { adopt } from "./adopt";
import { candidate } from "./candidate";
import { continueFrom } from "./continue-from";

/** The requests about one candidate. */
export const candidateRoutes = {
  "kernelwright/candidate": candidate,
  "kernelwright/adopt": adopt,
  "kernelwright/continueFrom": continueFrom,
} satisfies Partial<Routes>;
