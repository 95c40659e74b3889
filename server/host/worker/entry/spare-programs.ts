import type { EntryProgram } from "../../../core/ports/entry-programs";

interface Spare {
  readonly program: Uint8Array;
  readonly starting: Promise<EntryProgram>;
}

/** The baseline's and a candidate's: both are compiled before either runs. */
const mostSpares = 2;

/** Processes that start while the code for their devices is still being compiled. */
export class SparePrograms {
  private spares: readonly Spare[] = [];

  constructor(private readonly start: (program: Uint8Array) => Promise<EntryProgram>) {}

  /** Begins to start an executable, unless that has begun already. */
  begin(program: Uint8Array): void {
    if (this.spares.some((spare) => spare.program === program)) return;
    const starting = this.start(program);
    // Whoever takes it is told what went wrong.
    starting.catch(() => undefined);
    const all = [...this.spares, { program, starting }];
    this.spares = all.slice(-mostSpares);
    for (const oldest of all.slice(0, -mostSpares)) void closed(oldest);
  }

  /** The process of an executable, where it was begun and is sound. */
  async take(program: Uint8Array): Promise<EntryProgram | undefined> {
    const taken = this.spares.find((spare) => spare.program === program);
    if (taken === undefined) return undefined;
    this.spares = this.spares.filter((spare) => spare !== taken);
    const started = await taken.starting;
    if (started.usable) return started;
    await started.close();
    return undefined;
  }

  async close(): Promise<void> {
    const { spares } = this;
    this.spares = [];
    await Promise.all(spares.map(closed));
  }
}

async function closed({ starting }: Spare): Promise<void> {
  const started = await starting.catch(() => undefined);
  await started?.close();
}
