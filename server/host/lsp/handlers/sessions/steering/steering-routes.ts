import type { Routes } from "../../handler";
import { cancel } from "./cancel";
import { listen } from "./listen";
import { pause } from "./pause";
import { raiseBudget } from "./raise-budget";
import { say } from "./say";
import { takeBest } from "./take-best";

/** The requests about a session while it runs. */
export const steeringRoutes = {
  "kernelwright/cancel": cancel,
  "kernelwright/takeBest": takeBest,
  "kernelwright/say": say,
  "kernelwright/listen": listen,
  "kernelwright/pause": pause,
  "kernelwright/raiseBudget": raiseBudget,
} satisfies Partial<Routes>;
