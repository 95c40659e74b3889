import type { Command, Disposable } from "vscode";

/** Registers a command that takes no arguments; `vscode.commands.registerCommand` in the editor. */
type Register = (id: string, act: () => unknown) => Disposable;

/** Runs a command; `vscode.commands.executeCommand` in the editor. */
type Execute = (id: string, ...values: readonly unknown[]) => unknown;

/** More lenses and rows than can be on screen, whatever was drawn anew since. */
const mostKept = 2_000;

/**
 * Keeps the arguments of lenses and rows for as long as they may be clicked. The editor itself forgets them
 * as soon as what shows them is drawn anew, and answers a click on what is still on screen with "Actual
 * command not found". A command without arguments has nothing to be forgotten: each command is registered
 * once together with its arguments, under a name that holds both and that no list of commands shows.
 */
export class LastingCommands implements Disposable {
  /** By name; what was asked for last comes last. */
  private readonly kept = new Map<string, Disposable>();

  constructor(
    private readonly register: Register,
    private readonly execute: Execute,
    private readonly most = mostKept,
  ) {}

  /** The same command, without arguments. Arguments have to be plain data. */
  lasting(command: Command): Command {
    const values: readonly unknown[] = command.arguments ?? [];
    if (values.length === 0) return command;
    const name = `_${command.command} ${JSON.stringify(values)}`;
    const registration =
      this.kept.get(name) ?? this.register(name, () => this.execute(command.command, ...values));
    this.kept.delete(name);
    this.kept.set(name, registration);
    this.forgetOldest();
    const { title, tooltip } = command;
    return { title, command: name, ...(tooltip === undefined ? {} : { tooltip }) };
  }

  dispose(): void {
    for (const registration of this.kept.values()) registration.dispose();
    this.kept.clear();
  }

  private forgetOldest(): void {
    const [oldest] = this.kept;
    if (oldest === undefined || this.kept.size <= this.most) return;
    const [name, registration] = oldest;
    this.kept.delete(name);
    registration.dispose();
  }
}
