import type { WorkerConnection } from "./connection";
import type { WorkerRole } from "./protocol";
import type { Transport } from "./transport";
import { connect } from "./worker-handle";

/** More than this many tasks in turn would be waiting for one another anyway. */
const mostIdle = 1;

/** Processes of a role that serve one task after the other, so that not each task pays a start of Python. */
export class IdleWorkers {
  private idle: WorkerConnection[] = [];
  private closed = false;

  constructor(
    private readonly transport: Transport,
    private readonly role: WorkerRole,
  ) {}

  /** One that waits, else a new one. */
  async take(): Promise<WorkerConnection> {
    const waiting = this.idle.pop();
    if (waiting === undefined) return (await connect(this.transport, this.role)).connection;
    return waiting.lost ? this.take() : waiting;
  }

  /** Takes a process back that has answered all it was asked. */
  async give(connection: WorkerConnection): Promise<void> {
    if (this.closed || this.idle.length >= mostIdle) await connection.close();
    else this.idle.push(connection);
  }

  async close(): Promise<void> {
    this.closed = true;
    const ending = this.idle;
    this.idle = [];
    await Promise.all(ending.map((connection) => connection.close()));
  }
}
