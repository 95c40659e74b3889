import { show } from "../../handshake/user-language";
import { retold } from "../../../../core/base/localized";
import { t } from "../../../../core/base/localized";
import { OperationalError } from "../../../../core/base/operational-error";
import { parseTarget } from "../../../../core/timing/target";
import { requireTrust } from "../../context";
import type { Handler } from "../handler";

/** How a target's GPU is now, and who is on it; that there is none is told in the same place. */
export const targetState: Handler<"kernelwright/targetState"> = async (context, { target }, signal) => {
  requireTrust(context.client, t`A look at a GPU`);
  const parsed = parseTarget(target);
  if (!parsed.ok) throw new OperationalError("target-unknown", { forUser: parsed.problem });
  const { services } = await context.workspaces.first();
  try {
    return { text: await services.targets.look(parsed.value, signal) };
  } catch (thrown) {
    if (!(thrown instanceof OperationalError) || thrown.code !== "tool-missing") throw thrown;
    return { text: show(() => retold(thrown.message)) };
  }
};
