/**
 * Runs asynchronous tasks one after the other, in the order of asking. A task that fails does not stop those
 * after it.
 */
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve();

  run<Value>(task: () => Promise<Value>): Promise<Value> {
    const result = this.tail.then(task);
    this.tail = result.catch(() => undefined);
    return result;
  }
}
