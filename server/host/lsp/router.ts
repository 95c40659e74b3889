import { catalogue } from "./handlers/catalogue";
import { check } from "./handlers/check";
import { createSpec } from "./handlers/create-spec";
import { doctor } from "./handlers/doctor";
import { editableFiles } from "./handlers/kernels/editable-files";
import type { Routes } from "./handlers/handler";
import { kernels } from "./handlers/kernels";
import { modelRoutes } from "./models/model-routes";
import { codeRoutes } from "./handlers/code/code-routes";
import { startingRoutes } from "./handlers/starting/starting-routes";
import { specRoutes } from "./handlers/spec-file/spec-routes";
import { profile } from "./handlers/profile";
import { programRoutes } from "./handlers/programs/program-routes";
import { workspaceKernels } from "./handlers/kernels/workspace-kernels";
import { sessionRoutes } from "./handlers/sessions/session-routes";

/** One line for each request of server/protocol/requests.ts; the type makes a missing one a compile error. */
export const router: Routes = {
  "kernelwright/kernels": kernels,
  "kernelwright/workspaceKernels": workspaceKernels,
  "kernelwright/editableFiles": editableFiles,
  ...startingRoutes,
  "kernelwright/check": check,
  "kernelwright/profile": profile,
  ...codeRoutes,
  "kernelwright/createSpec": createSpec,
  ...specRoutes,
  ...programRoutes,
  "kernelwright/catalogue": catalogue,
  "kernelwright/doctor": doctor,
  ...modelRoutes,
  ...sessionRoutes,
};
