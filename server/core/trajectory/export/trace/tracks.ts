/** The rows of a trace: marks of one kind share a row, bars that overlap get rows of their own. */
export class Tracks {
  private readonly threads = new Map<string, number>();
  /** When the last bar of each row ends, in milliseconds. */
  private readonly ends = new Map<string, number>();

  /** The row of the marks of a kind. */
  markOn(kind: string): number {
    return this.threadOf(`${kind} events`);
  }

  /** A row on which nothing else happens between two times, in milliseconds; ends come in ascending order. */
  barOn(track: string, start: number, end: number): number {
    for (let row = 1; ; row++) {
      const name = row === 1 ? track : `${track} ${row}`;
      if ((this.ends.get(name) ?? 0) > start) continue;
      this.ends.set(name, end);
      return this.threadOf(name);
    }
  }

  /** Each row with its name. */
  names(): readonly (readonly [thread: number, name: string])[] {
    return [...this.threads].map(([name, thread]) => [thread, name]);
  }

  private threadOf(name: string): number {
    const known = this.threads.get(name);
    if (known !== undefined) return known;
    const thread = this.threads.size + 1;
    this.threads.set(name, thread);
    return thread;
  }
}
