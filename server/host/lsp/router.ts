import type { Requests } from "../../protocol/requests";
import { cancel } from "./handlers/cancel";
import { check } from "./handlers/check";
import { createSpec } from "./handlers/create-spec";
import { decide } from "./handlers/sessions/decide";
import { doctor } from "./handlers/doctor";
import { exportSession } from "./handlers/sessions/export";
import type { Handler } from "./handlers/handler";
import { kernels } from "./handlers/kernels";
import { optimize } from "./handlers/optimize";
import { profile } from "./handlers/profile";
import { proposal } from "./handlers/sessions/proposal";
import { resume } from "./handlers/sessions/resume";
import { session } from "./handlers/sessions/session";
import { sessions } from "./handlers/sessions/sessions";

/** One line for each request of server/protocol/requests.ts; the type makes a missing one a compile error. */
export const router: { readonly [Method in keyof Requests]: Handler<Method> } = {
  "kernelwright/kernels": kernels,
  "kernelwright/optimize": optimize,
  "kernelwright/check": check,
  "kernelwright/profile": profile,
  "kernelwright/createSpec": createSpec,
  "kernelwright/sessions": sessions,
  "kernelwright/session": session,
  "kernelwright/cancel": cancel,
  "kernelwright/resume": resume,
  "kernelwright/proposal": proposal,
  "kernelwright/decide": decide,
  "kernelwright/export": exportSession,
  "kernelwright/doctor": doctor,
};
