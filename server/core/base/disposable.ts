/** Something with an end: a process, a listener, a timer, a lock. */
export interface Disposable {
  dispose(): void;
}
