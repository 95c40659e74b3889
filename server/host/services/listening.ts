import { Guidance } from "../../core/agent/dialogue/guidance";
import { OperationalError } from "../../core/base/operational-error";

/** A session's ear for its user. */
export interface Listening {
  readonly guidance: Guidance;
  readonly say: (text: string) => Promise<void>;
  readonly control: Guidance["control"];
}

/**
 * Takes messages for a session whose model is `model`; none where the strategy asks no model. Throws `usage`
 * for a message that nobody would read.
 */
export async function listenFor(
  model: string | undefined,
  messages: readonly string[] = [],
): Promise<Listening> {
  const guidance = new Guidance();
  const say = async (text: string): Promise<void> => {
    if (model === undefined)
      throw new OperationalError("usage", {
        forUser:
          "This session asks no model, so nobody would read the message. Optimize with the strategy refine or search to steer it.",
      });
    await guidance.say(text);
  };
  for (const message of messages) await say(message);
  return { guidance, say, control: guidance.control };
}
