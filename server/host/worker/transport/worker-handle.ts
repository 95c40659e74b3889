import type { JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import { WorkerConnection, type Reply, type RequestOptions } from "./connection";
import type { WorkerMethod, WorkerRole } from "./protocol";
import type { Transport } from "./transport";

/**
 * How long a worker may take until it says hello, in milliseconds; a first connection over ssh may ask for a
 * key.
 */
const helloLimitMilliseconds = 60_000;

/** Starts a worker and waits for its hello. The process is gone when this rejects. */
export async function connect(
  transport: Transport,
  role: WorkerRole,
  signal?: AbortSignal,
): Promise<{ readonly connection: WorkerConnection; readonly hello: JsonObject }> {
  const process = await transport.start(role, signal);
  const connection = new WorkerConnection(
    process,
    transport.description,
    role === "candidate" ? "candidate" : "trusted",
    transport.isHere,
  );
  const timer = setTimeout(() => void process.stop(), helloLimitMilliseconds);
  try {
    return { connection, hello: await connection.hello };
  } catch (thrown) {
    await connection.close();
    if (signal?.aborted)
      throw new OperationalError("cancelled", { forUser: "starting the worker was cancelled" });
    throw thrown instanceof OperationalError ? notStarted(thrown, transport) : thrown;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What ends before its hello is no worker: the program that should have run it is at fault, and it is named.
 */
function notStarted(problem: OperationalError, { description, program }: Transport): OperationalError {
  if (program === undefined || (problem.code !== "worker-lost" && problem.code !== "worker-protocol"))
    return problem;
  return new OperationalError(problem.code, {
    forUser: `${program} on ${description} cannot run the worker: ${problem.message.replace(/; (the next request starts it anew|it is started anew for the next request)$/, "")}. Compiling and checking need Python 3.8 or newer; kernels are still found`,
    remedy: "kernelwright doctor",
    cause: problem,
  });
}

/** One long-lived worker, started when first needed and started anew after it was lost. */
export class WorkerHandle {
  private current: Promise<WorkerConnection> | undefined;
  private closed = false;

  constructor(
    private readonly transport: Transport,
    private readonly role: WorkerRole,
  ) {}

  /** Sends a request over the running worker, or over a new one. */
  async request(method: WorkerMethod, params: JsonObject, options: RequestOptions): Promise<Reply> {
    const connection = await this.connection();
    return connection.request(method, params, options);
  }

  /** Starts the worker without waiting for it. */
  warm(): void {
    this.connection().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.closed = true;
    const connection = await this.current?.catch(() => undefined);
    await connection?.close();
  }

  private async connection(): Promise<WorkerConnection> {
    if (this.closed) throw new OperationalError("worker-lost", { forUser: "the worker was closed" });
    const attempt = this.current;
    const known = await attempt?.catch(() => undefined);
    if (known !== undefined && !known.lost) return known;
    // Of several requests that found the worker lost, the first starts the new one.
    if (this.current === attempt)
      this.current = connect(this.transport, this.role).then(({ connection }) => connection);
    return this.current ?? this.connection();
  }
}

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
