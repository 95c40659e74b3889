import { retold, t } from "../../base/localized";
import type { TalkEvents } from "./talk-events";

/** `the session goes on without the judge: it could not be asked`. */
export function roleFailure({ role, reason, left }: TalkEvents["role.failed"]): string {
  const what = left ? t`the session goes on without the ${role}` : t`nothing of the ${role} was told`;
  return `${what}: ${retold(reason)}`;
}
