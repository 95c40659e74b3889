import type { Handler } from "../../handler";
import { controlOf } from "./control-of";

/** Lets a run rest after its present step, or go on. */
export const pause: Handler<"kernelwright/pause"> = async (context, { sessionId, paused }) => {
  const control = await controlOf(context, sessionId);
  await (paused ? control.pause() : control.proceed());
  return {};
};
