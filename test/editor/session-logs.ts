import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

interface LoggedEvent {
  readonly type: string;
  readonly data: {
    readonly status?: string;
    readonly decision?: string;
    readonly task?: { readonly kernel: string };
  };
}

/** The folder that the suite's window keeps its sessions in. */
export function sessionsFolder(): string {
  return vscode.workspace.getConfiguration("kernelwright").get<string>("sessionsFolder", "");
}

/** How the newest session of a kernel ended, as its log says; undefined while it runs or before it begins. */
export function endOf(kernel: string): string | undefined {
  return newestOf(kernel).find(({ type }) => type === "session.ended")?.data.status;
}

/** What was decided on changes in the newest session of a kernel, as its log says, oldest first. */
export function decisionsOf(kernel: string): readonly (string | undefined)[] {
  return newestOf(kernel).flatMap(({ type, data }) => (type === "edit.hunk_decided" ? [data.decision] : []));
}

/** Events of the newest session of a kernel; none before it begins. */
function newestOf(kernel: string): readonly LoggedEvent[] {
  const folder = sessionsFolder();
  const logs = (existsSync(folder) ? readdirSync(folder) : []).map((name) => eventsIn(join(folder, name)));
  const own = logs.filter((log) =>
    log.some(({ type, data }) => type === "session.started" && data.task?.kernel === kernel),
  );
  return own.at(-1) ?? [];
}

function eventsIn(session: string): readonly LoggedEvent[] {
  return readdirSync(session)
    .filter((name) => /^events-\d+\.jsonl$/.test(name))
    .sort()
    .flatMap((name) => readFileSync(join(session, name), "utf8").split("\n"))
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as LoggedEvent);
}
