import type { OperationalError } from "../../../core/base/operational-error";

/** A request that the worker has not answered. */
interface OpenRequest<Reply, OnCall> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (problem: OperationalError) => void;
  readonly onCall: OnCall | undefined;
  /** Called once nothing more is to come for it. */
  readonly over: () => void;
}

/** What was sent to a worker and not answered, by its number. */
export class OpenRequests<Reply, OnCall> {
  private readonly open = new Map<number, OpenRequest<Reply, OnCall>>();
  private lastId = 0;
  private turn = Promise.resolve();

  /**
   * Waits until no request is at work that the worker may ask back in: it is deaf to others meanwhile. Gives
   * what ends the turn.
   */
  async ownTurn(): Promise<() => void> {
    const before = this.turn;
    let over = nothing;
    this.turn = new Promise((resolve) => (over = resolve));
    await before;
    return over;
  }

  /** Numbers a request. */
  add(request: OpenRequest<Reply, OnCall>): number {
    const id = ++this.lastId;
    this.open.set(id, request);
    return id;
  }

  /** What answers the questions that the worker asks while it works on a request. */
  onCallOf(id: number): OnCall | undefined {
    return this.open.get(id)?.onCall;
  }

  /** Ends a request; undefined where there is none of that number. */
  settle(id: number): OpenRequest<Reply, OnCall> | undefined {
    const request = this.open.get(id);
    this.open.delete(id);
    request?.over();
    return request;
  }

  /** Nobody waits for a request any more. One that is asked back in is over when the worker has answered. */
  cancel(id: number, problem: OperationalError): void {
    const request = this.open.get(id);
    if (request === undefined) return;
    if (request.onCall === undefined) this.settle(id);
    else this.open.set(id, { ...request, resolve: nothing, reject: nothing, onCall: undefined });
    request.reject(problem);
  }

  /** Fails all requests. */
  lose(problem: OperationalError): void {
    for (const id of [...this.open.keys()]) this.settle(id)?.reject(problem);
  }
}

/** The end of what has none. */
export function nothing(): void {}
