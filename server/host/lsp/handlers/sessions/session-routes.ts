import { annotate } from "./annotate";
import { candidateRoutes } from "./candidates/candidate-routes";
import type { Routes } from "../handler";
import { decide } from "./decide";
import { exportSession } from "./export";
import { proposal } from "./proposal";
import { resume } from "./resume";
import { deleteSession } from "./shelf/delete";
import { importSession } from "./shelf/import";
import { renameSession } from "./shelf/rename";
import { session } from "./session";
import { sessions } from "./sessions";
import { step } from "./step";
import { timeline } from "./timeline";
import { steeringRoutes } from "./steering/steering-routes";

/** The requests about one recorded or running session, and the list of them. */
export const sessionRoutes = {
  "kernelwright/sessions": sessions,
  "kernelwright/session": session,
  ...steeringRoutes,
  "kernelwright/resume": resume,
  "kernelwright/renameSession": renameSession,
  "kernelwright/deleteSession": deleteSession,
  "kernelwright/importSession": importSession,
  "kernelwright/proposal": proposal,
  ...candidateRoutes,
  "kernelwright/timeline": timeline,
  "kernelwright/step": step,
  "kernelwright/annotate": annotate,
  "kernelwright/decide": decide,
  "kernelwright/export": exportSession,
} satisfies Partial<Routes>;
