import type { TalkEvents } from "./talk-events";

/** `the session goes on without the judge: it could not be asked`. */
export function roleFailure({ role, reason, left }: TalkEvents["role.failed"]): string {
  return `${left ? `the session goes on without the ${role}` : `nothing of the ${role} was told`}: ${reason}`;
}
