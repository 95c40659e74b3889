/** Something with an end: a process, a listener, a timer, a lock. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables. One that is added after the store has ended is disposed at once, so that nothing leaks in a race. */
export class DisposableStore implements Disposable {
  private readonly owned = new Set<Disposable>();
  private ended = false;

  add<Item extends Disposable>(item: Item): Item {
    if (this.ended) item.dispose();
    else this.owned.add(item);
    return item;
  }

  /** Disposes in the reverse order of adding; a second call does nothing. */
  dispose(): void {
    if (this.ended) return;
    this.ended = true;
    for (const item of [...this.owned].reverse()) item.dispose();
    this.owned.clear();
  }
}
