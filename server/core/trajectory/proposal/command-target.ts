/** Before the name of a target with a command, where a session's log names its target. */
export const commandPrefix = "command:";

/** Whether a session is one on a target with a command, which has a number of its own. */
export function isCommandTarget(target: string): boolean {
  return target.startsWith(commandPrefix);
}
