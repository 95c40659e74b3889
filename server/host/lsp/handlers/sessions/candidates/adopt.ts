import { t } from "../../../../../core/base/localized";
import { OperationalError } from "../../../../../core/base/operational-error";
import { known } from "../../../../../core/base/known";
import { requireTrust } from "../../../context";
import type { Handler } from "../../handler";
import { proposalOf } from "../proposal";
import { readSession } from "../session-record";
import { tellSession } from "../tell-session";

/** Makes a candidate the proposal under review; one that had no full check is checked first. */
export const adopt: Handler<"kernelwright/adopt"> = async (context, { sessionId, candidate }, signal) => {
  requireTrust(context.client, t`Propose This Candidate`);
  const { services, summary } = await readSession(context, sessionId);
  if (summary.status === "running")
    throw new OperationalError("usage", {
      forUser:
        "The run goes on and proposes its best candidate when it ends. Cancel it or wait, then propose this one.",
    });
  await services.review.adopt(sessionId, candidate, signal);
  const placed = await tellSession(context, sessionId);
  const proposal = await proposalOf(context, placed, { follow: true });
  return known(proposal ?? undefined, `the proposal of session ${sessionId}, which was just written`);
};
