import type { WorkerConnection } from "../transport/connection";
import type { Transport } from "../transport/transport";
import { connect } from "../transport/worker-handle";

/**
 * Candidate processes: each is used once and then ended. One is kept waiting with torch and triton imported,
 * so that the next candidate does not wait for that.
 */
export class CandidatePool {
  private waiting: Promise<WorkerConnection> | undefined;
  private closed = false;

  constructor(private readonly transport: Transport) {}

  /** Starts a process ahead of the first candidate. */
  warm(): void {
    if (this.waiting !== undefined || this.closed) return;
    this.waiting = this.start();
    // Who takes it sees the failure; until then nobody needs to know.
    this.waiting.catch(() => undefined);
  }

  /** A fresh process. The caller closes it. */
  async take(): Promise<WorkerConnection> {
    const ready = this.waiting;
    this.waiting = undefined;
    const connection = await ready?.catch(() => undefined);
    const taken = connection !== undefined && !connection.lost ? connection : await this.start();
    this.warm();
    return taken;
  }

  async close(): Promise<void> {
    this.closed = true;
    const connection = await this.waiting?.catch(() => undefined);
    await connection?.close();
  }

  private async start(): Promise<WorkerConnection> {
    const { connection } = await connect(this.transport, "candidate");
    return connection;
  }
}
