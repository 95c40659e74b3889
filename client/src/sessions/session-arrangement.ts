import type { SessionView } from "../../../server/protocol/views";
import { sessionWord } from "./session-words";

/** The sessions of one kernel. */
export interface KernelGroup {
  readonly kernel: string;
  readonly file: string;
  /** As they came: newest first. */
  readonly sessions: readonly SessionView[];
}

/** Sessions in which every word occurs, whatever its case: in the name, kernel, file, outcome or settings. */
export function sessionsWith(sessions: readonly SessionView[], words: string): readonly SessionView[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter((session) => {
    const { name, kernel, file, target, strategy, reason } = session;
    const text = [name, kernel, file, target, strategy, sessionWord(session), reason].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** One group for each kernel of each file, in the order of its newest session. */
export function groupedByKernel(sessions: readonly SessionView[]): readonly KernelGroup[] {
  const groups = new Map<string, KernelGroup & { readonly sessions: SessionView[] }>();
  for (const session of sessions) {
    const { kernel, file } = session;
    const key = JSON.stringify([file, kernel]);
    const group = groups.get(key) ?? { kernel, file, sessions: [] };
    group.sessions.push(session);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The time of today's sessions, the day of earlier ones; the year where it is another one. */
export function dateText(started: string, now: Date, locale?: string): string {
  const date = new Date(started);
  if (Number.isNaN(date.getTime())) return "";
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  if (date.toDateString() === now.toDateString()) return date.toLocaleTimeString(locale, time);
  const day = { day: "numeric", month: "short" } as const;
  return date.getFullYear() === now.getFullYear()
    ? date.toLocaleString(locale, { ...day, ...time })
    : date.toLocaleDateString(locale, { ...day, year: "numeric" });
}

/**
 * A row of the list that the server reads from disk, with what the window knew of the session. Rows carry no
 * candidates, and nothing of what goes on: of a run that moves here they tell the name alone.
 */
export function listed(row: SessionView, known: SessionView | undefined): SessionView {
  if (known === undefined) return row;
  const moves = known.status === "running" && known.progress !== null;
  if (moves && row.status === "running") return row.name === undefined ? known : { ...known, name: row.name };
  const candidates = row.candidates.length > 0 ? row.candidates : known.candidates;
  return { ...row, candidates, progress: row.progress ?? restOf(known) };
}

/** What stays true of a run's progress once it has ended: neither what it was doing nor what it had left. */
function restOf({ status, progress }: SessionView): SessionView["progress"] {
  return status === "running" && progress !== null ? { ...progress, stage: "", spent: [] } : progress;
}
