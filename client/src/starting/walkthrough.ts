import { commands, type Disposable } from "vscode";
import type { SessionStore } from "../sessions/session-store";

/** Ticks the walkthrough's step that waits for the context `kernelwright.did…`: it was really done. */
export function tickStep(done: "didCheck" | "didProfile" | "didOptimize"): void {
  void commands.executeCommand("setContext", `kernelwright.${done}`, true);
}

/** A run counts once it has come to its end, whatever it found. */
export function tickOptimized(sessions: SessionStore): Disposable {
  return sessions.onDidFinish(({ status }) => {
    if (status !== "cancelled" && status !== "crashed") tickStep("didOptimize");
  });
}
