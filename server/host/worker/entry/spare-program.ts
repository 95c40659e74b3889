import type { EntryProgram } from "../../../core/ports/entry-programs";

/** A process that starts while the code for its device is still being compiled. */
export class SpareProgram {
  private spare: { readonly program: Uint8Array; readonly starting: Promise<EntryProgram> } | undefined;

  constructor(private readonly start: (program: Uint8Array) => Promise<EntryProgram>) {}

  /** Begins to start an executable, unless that has begun already. */
  begin(program: Uint8Array): void {
    if (this.spare?.program === program) return;
    void this.close();
    const starting = this.start(program);
    // Whoever takes it is told what went wrong.
    starting.catch(() => undefined);
    this.spare = { program, starting };
  }

  /** The process of an executable, where it was begun and is sound. */
  async take(program: Uint8Array): Promise<EntryProgram | undefined> {
    const { spare } = this;
    if (spare?.program !== program) return undefined;
    this.spare = undefined;
    const started = await spare.starting;
    if (started.usable) return started;
    await started.close();
    return undefined;
  }

  async close(): Promise<void> {
    const { spare } = this;
    this.spare = undefined;
    const started = await spare?.starting.catch(() => undefined);
    await started?.close();
  }
}
