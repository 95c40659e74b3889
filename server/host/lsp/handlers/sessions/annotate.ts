import * as z from "zod/mini";
import { OperationalError } from "../../../../core/base/operational-error";
import { annotationSchema } from "../../../../core/trajectory/timeline/annotation";
import type { Handler } from "../handler";
import { readSession } from "./session-record";

const labelSchema = z.omit(annotationSchema, { at: true });

/** Keeps the user's label on an event, beside the log. */
export const annotate: Handler<"kernelwright/annotate"> = async (context, { sessionId, ...label }) => {
  const { services, logged } = await readSession(context, sessionId);
  const read = labelSchema.safeParse(label);
  if (!read.success || (await logged.at(label.seq)) === undefined)
    throw new OperationalError("usage", {
      forUser: `This label fits no event of session ${sessionId}: a tag has at most 64 characters, a note at most 4,000.`,
    });
  await services.sessions.annotations.put(sessionId, read.data);
  return { labels: await services.sessions.annotations.of(sessionId) };
};
