import { isJsonObject, type Json, type JsonObject } from "../../../core/base/json";
import { OperationalError } from "../../../core/base/operational-error";
import type { RunningProcess } from "../../process/start-process";
import { afterWorkOf, treeWork } from "../../process/work-clock";
import { encodeMessage, MessageDecoder, type WorkerMessage } from "./framing";
import { protocolVersion, type WorkerCall, workerCalls, workerCodes, type WorkerMethod } from "./protocol";
import { nothing, OpenRequests } from "./open-requests";
import { objectIn } from "./read-json";

export interface Reply {
  readonly result: Json;
  readonly frames: readonly Uint8Array[];
}

export interface RequestOptions {
  readonly frames?: readonly Uint8Array[];
  readonly signal?: AbortSignal;
  /** Beyond it the process is ended. */
  readonly timeLimitMilliseconds: number;
  /**
   * A shorter limit, of time in which processors work for us or nobody does: a busy machine lengthens it.
   * Over a connection to another machine it is one of time.
   */
  readonly workLimitMilliseconds?: number;
  /** Answers what the worker asks while it works on the request (a launch, for instance). */
  readonly onCall?: (method: WorkerCall, params: JsonObject, frames: readonly Uint8Array[]) => Promise<Reply>;
}

/** Whose code runs at the other end: a candidate's words about its failures are never taken for ours. */
type Trust = "trusted" | "candidate";

/** Characters of a candidate's own words that are kept. */
const candidateWords = 500;

/**
 * Requests and replies over one worker process. Once it is lost every request fails with `worker-lost`; make
 * a new one then.
 */
export class WorkerConnection {
  private readonly decoder = new MessageDecoder();
  private readonly requests = new OpenRequests<Reply, NonNullable<RequestOptions["onCall"]>>();
  private problem: OperationalError | undefined;
  private greet: ((hello: JsonObject) => void) | undefined;
  private refuse: ((problem: OperationalError) => void) | undefined;
  /** The first message: versions and what is there. Rejects when the worker ends before it. */
  readonly hello: Promise<JsonObject>;

  constructor(
    private readonly process: RunningProcess,
    private readonly description: string,
    private readonly trust: Trust = "trusted",
    /** The process runs on this machine. */
    private readonly isHere = false,
  ) {
    this.hello = new Promise((resolve, reject) => {
      this.greet = resolve;
      this.refuse = reject;
    });
    this.hello.catch(() => undefined);
    process.output.on("data", (chunk: Buffer) => this.receive(chunk));
    void process.exited.then((status) =>
      this.lose(lostError(this.description, status.code, process.standardError())),
    );
  }

  get lost(): boolean {
    return this.problem !== undefined;
  }

  /**
   * Sends a request; one with `onCall` once those before it are over. Throws OperationalError: the worker's
   * own, `worker-timeout`, `worker-lost`, `worker-protocol` or `cancelled`.
   */
  async request(method: WorkerMethod, params: JsonObject, options: RequestOptions): Promise<Reply> {
    const over = options.onCall === undefined ? nothing : await this.requests.ownTurn();
    const refusal = options.signal?.aborted ? cancelled(method) : this.problem;
    if (refusal === undefined) return this.ask({ method, params }, options, over);
    over();
    throw refusal;
  }

  /** `over` is called when the worker has answered, also where nobody waited for it any more. */
  private async ask(
    asked: { readonly method: WorkerMethod; readonly params: JsonObject },
    options: RequestOptions,
    over: () => void,
  ): Promise<Reply> {
    const { onCall, signal } = options;
    const stopLimits = this.watchLimits(asked.method, options);
    const ended = (): void => {
      stopLimits();
      over();
    };
    let id = 0;
    const answered = new Promise<Reply>((resolve, reject) => {
      id = this.requests.add({ resolve, reject, onCall, over: ended });
    });
    const onAbort = (): void => {
      this.send({ cancel: id });
      this.requests.cancel(id, cancelled(asked.method));
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.send({ id, ...asked }, options.frames);
    try {
      return await answered;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Ends the process beyond a limit; gives what takes the watch off. */
  private watchLimits(method: WorkerMethod, limits: RequestOptions): () => void {
    const { timeLimitMilliseconds, workLimitMilliseconds = timeLimitMilliseconds } = limits;
    const end = (milliseconds: number): void => {
      this.lose(timeoutError(method, milliseconds));
      void this.process.stop();
    };
    const isShorter = workLimitMilliseconds < timeLimitMilliseconds;
    const most = isShorter && !this.isHere ? workLimitMilliseconds : timeLimitMilliseconds;
    const timer = setTimeout(() => end(most), most);
    const stop =
      isShorter && this.isHere
        ? afterWorkOf(treeWork, workLimitMilliseconds / 1000, () => end(workLimitMilliseconds))
        : undefined;
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }

  /** Ends the process and everything that it started. */
  async close(): Promise<void> {
    this.lose(
      new OperationalError("worker-lost", { forUser: `the worker on ${this.description} was closed` }),
    );
    await this.process.stop();
  }

  private send(header: JsonObject, frames: readonly Uint8Array[] = []): void {
    for (const part of encodeMessage(header, frames)) this.process.input.write(part);
  }

  private receive(chunk: Buffer): void {
    if (this.problem !== undefined) return;
    try {
      for (const message of this.decoder.push(chunk)) this.dispatch(message);
    } catch (thrown) {
      this.lose(
        thrown instanceof OperationalError
          ? thrown
          : new OperationalError("worker-protocol", {
              forUser: "the worker broke its protocol",
              cause: thrown,
            }),
      );
      void this.process.stop();
    }
  }

  private dispatch({ header, frames }: WorkerMessage): void {
    if ("hello" in header) return this.welcome(objectIn(header["hello"], "hello"));
    if ("broken" in header)
      throw new OperationalError("worker-protocol", {
        forUser: `the worker could not read a request: ${JSON.stringify(header["broken"])}`,
      });
    const id = typeof header["id"] === "number" ? header["id"] : -1;
    if ("call" in header) return void this.answerCall(id, header, frames);
    const waiting = this.requests.settle(id);
    if (waiting === undefined) return;
    if ("error" in header) waiting.reject(reportedError(header["error"], this.trust));
    else waiting.resolve({ result: header["result"] ?? null, frames });
  }

  private welcome(hello: JsonObject): void {
    if (hello["protocol"] !== protocolVersion) {
      throw new OperationalError("worker-protocol", {
        forUser: `the worker on ${this.description} speaks protocol ${JSON.stringify(hello["protocol"])}, this program speaks ${protocolVersion}`,
      });
    }
    this.greet?.(hello);
  }

  private async answerCall(id: number, header: JsonObject, frames: readonly Uint8Array[]): Promise<void> {
    const call = header["call"] ?? null;
    try {
      const handler = this.requests.onCallOf(id);
      const method = workerCalls.find((name) => name === header["method"]);
      if (handler === undefined || method === undefined)
        return this.send({
          return: call,
          error: { code: "worker-protocol", message: "nobody asked for this" },
        });
      const params = isJsonObject(header["params"]) ? header["params"] : {};
      const reply = await handler(method, params, frames);
      this.send({ return: call, result: reply.result }, reply.frames);
    } catch (thrown) {
      const problem =
        thrown instanceof OperationalError
          ? thrown
          : new OperationalError("worker-protocol", { forUser: String(thrown), cause: thrown });
      this.send({ return: call, error: { code: problem.code, message: problem.forModel } });
    }
  }

  private lose(problem: OperationalError): void {
    if (this.problem !== undefined) return;
    this.problem = problem;
    this.refuse?.(problem);
    this.requests.lose(problem);
  }
}

function cancelled(method: string): OperationalError {
  return new OperationalError("cancelled", { forUser: `${method} was cancelled` });
}

function timeoutError(method: string, milliseconds: number): OperationalError {
  const limit = `${Math.round(milliseconds / 1000)} s`;
  return new OperationalError("worker-timeout", {
    forUser: `a worker process did not answer "${method}" within ${limit}, and was ended. A busy machine takes longer: try again with less beside it; the next request starts the worker anew`,
    forModel: `${method} took longer than ${limit}`,
  });
}

function lostError(description: string, code: number | null, errors: string): OperationalError {
  const told = errors.trim().split("\n").slice(-3).join(" · ");
  const last = told.split(" · ").slice(-1).join("").slice(0, candidateWords);
  const how = code === null ? "was killed" : `ended with status ${code}`;
  return new OperationalError("worker-lost", {
    forUser: `the worker on ${description} ${how}${told === "" ? "" : `: ${told}`}; the next request starts it anew`,
    forModel: `the worker ${how}${last === "" ? "" : `: ${last}`}`,
  });
}

/**
 * A failure that the other side reports. A trusted role chooses among our codes; a candidate chooses nothing:
 * its words are quoted as its own, so that it cannot end a session or speak for the user.
 */
function reportedError(value: Json | undefined, trust: Trust): OperationalError {
  const report = isJsonObject(value) ? value : {};
  if (trust === "candidate")
    return new OperationalError("tool-failed", {
      forUser: `the candidate's own process said ${JSON.stringify(String(report["message"]).slice(0, candidateWords))}`,
    });
  const code = workerCodes.find((each) => each === report["code"]) ?? "tool-failed";
  const remedy =
    typeof report["remedy"] === "string" && report["remedy"] !== "" ? report["remedy"] : undefined;
  return new OperationalError(code, {
    forUser:
      typeof report["message"] === "string"
        ? report["message"]
        : "the worker reported an error without a message",
    remedy,
  });
}
