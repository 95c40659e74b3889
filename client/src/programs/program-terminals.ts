import type { Disposable } from "vscode";
import type { ServerConnection } from "../server/connection";
import { ProgramTerminal } from "./program-terminal";

/** The terminal of each program: its next run goes on in the same one. */
export class ProgramTerminals implements Disposable {
  private readonly terminals = new Map<string, ProgramTerminal>();
  private readonly runs = new Map<string, ProgramTerminal>();
  private readonly subscription: Disposable;
  private count = 0;

  constructor(connection: ServerConnection) {
    this.subscription = connection.onNotification("kernelwright/programOutput", ({ run, text }) =>
      this.runs.get(run)?.write(text),
    );
  }

  /** The terminal of a program, in view. `end` is called when the user ends the program there. */
  begin(name: string, end: () => void): { readonly run: string; readonly terminal: ProgramTerminal } {
    const known = this.terminals.get(name);
    const terminal = known === undefined || known.isClosed ? new ProgramTerminal(name) : known;
    this.terminals.set(name, terminal);
    const run = String(++this.count);
    this.runs.set(run, terminal);
    terminal.begin(end);
    return { run, terminal };
  }

  /** Nothing more is to come of a run. */
  finish(run: string): void {
    this.runs.get(run)?.finish();
    this.runs.delete(run);
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
