import type { Routes } from "../../handler";
import { adopt } from "./adopt";
import { candidate } from "./candidate";
import { candidatePerformance } from "./candidate-performance";
import { checkpoints } from "./checkpoints";
import { continueFrom } from "./continue-from";

/** The requests about one candidate. */
export const candidateRoutes = {
  "kernelwright/candidate": candidate,
  "kernelwright/candidatePerformance": candidatePerformance,
  "kernelwright/adopt": adopt,
  "kernelwright/continueFrom": continueFrom,
  "kernelwright/checkpoints": checkpoints,
} satisfies Partial<Routes>;
