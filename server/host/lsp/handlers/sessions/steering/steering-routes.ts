import type { Routes } from "../../handler";
import { cancel } from "./cancel";
import { pause } from "./pause";
import { raiseBudget } from "./raise-budget";
import { say } from "./say";

/** The requests about a session while it runs. */
export const steeringRoutes = {
  "kernelwright/cancel": cancel,
  "kernelwright/say": say,
  "kernelwright/pause": pause,
  "kernelwright/raiseBudget": raiseBudget,
} satisfies Partial<Routes>;
