import { EventEmitter, type Pseudoterminal, type Terminal, window } from "vscode";

/** Ctrl+C as terminals send it. */
const interrupt = "\u0003";

/**
 * A terminal that shows what a program writes, which runs elsewhere. Ctrl+C and closing it end the program.
 */
export class ProgramTerminal implements Pseudoterminal {
  private readonly written = new EventEmitter<string>();
  readonly onDidWrite = this.written.event;
  private readonly terminal: Terminal;
  /** What is written before the terminal is on the screen, which drops it. */
  private waiting: string | undefined = "";
  private end: (() => void) | undefined;
  isClosed = false;

  constructor(name: string) {
    this.terminal = window.createTerminal({ name, pty: this });
  }

  /** Makes ready for a run: brings the terminal into view, and says what ends the program from here. */
  begin(end: () => void): void {
    this.end = end;
    this.terminal.show(true);
  }

  /** The program is at its end. */
  finish(): void {
    this.end = undefined;
  }

  /** Text with the line ends of any program. */
  write(text: string): void {
    const shown = text.replaceAll(/\r?\n/g, "\r\n");
    if (this.waiting === undefined) this.written.fire(shown);
    else this.waiting += shown;
  }

  open(): void {
    const { waiting = "" } = this;
    this.waiting = undefined;
    this.written.fire(waiting);
  }

  handleInput(text: string): void {
    if (text === interrupt) this.end?.();
  }

  close(): void {
    this.isClosed = true;
    this.end?.();
    this.written.dispose();
  }
}
