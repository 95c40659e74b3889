import { setTimeout as pause } from "node:timers/promises";
import { at } from "../../../../core/base/known";
import { OperationalError } from "../../../../core/base/operational-error";
import { type ExitStatus, type RunningProcess, exitText } from "../../../process/start-process";
import { ByteStream } from "./byte-stream";
import {
  encodeCode,
  encodeGive,
  encodeOrder,
  encodePools,
  encodeReady,
  type Pool,
  readReply,
  type TimedOrder,
  type TimedReply,
} from "./timed-messages";

/** How one request ended. */
export type TimedOutcome =
  | TimedReply
  /** The process ended, or spoke what is no protocol. */
  | { readonly kind: "lost"; readonly message: string }
  | { readonly kind: "timed-out" };

interface TimedLimits {
  readonly limitSeconds: number;
  readonly signal: AbortSignal;
}

/** How long a process that has closed its stream may take to end. */
const graceMilliseconds = 2_000;

const noCalls = { buffers: [], calls: [] } as const;

interface Surroundings {
  /**
   * Ends the program where that takes more than ending the process that was started: a session over ssh that
   * is given up leaves its program running on the other side, with its streams open.
   */
  readonly end?: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A process of `runtime/entry/timed.hpp` with what surrounds it. */
export class TimedProcess {
  private readonly stream: ByteStream;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly process: RunningProcess,
    private readonly around: Surroundings,
  ) {
    this.stream = new ByteStream(process.output);
  }

  /** Hands the launcher its kernel. */
  load(symbol: string, image: Uint8Array, limits: TimedLimits): Promise<TimedOutcome> {
    return this.ask(encodeCode(symbol, image), noCalls, limits);
  }

  /** Makes the calls of an order. Throws `cancelled` alone. */
  run(order: TimedOrder, limits: TimedLimits): Promise<TimedOutcome> {
    return this.ask(encodeOrder(order), order.keeps === true ? noCalls : order, limits);
  }

  /** Ends when the process has done what needs no GPU. */
  ready(limits: TimedLimits): Promise<TimedOutcome> {
    return this.ask(encodeReady(), noCalls, limits);
  }

  /** Hands over what the contents of later orders are drawn from. */
  pools(pools: readonly Pool[], limits: TimedLimits): Promise<TimedOutcome> {
    return this.ask(encodePools(pools), noCalls, limits);
  }

  /** The outputs of one call of an order that keeps them, the last one. */
  give({ buffers, calls }: TimedOrder, call: number, limits: TimedLimits): Promise<TimedOutcome> {
    return this.ask(encodeGive(call), { buffers, calls: [at(calls, call)] }, limits);
  }

  get ended(): boolean {
    return this.process.ended;
  }

  /** Ends it; nothing happens the second time. */
  close(): Promise<void> {
    this.closing ??= this.stop().then(() => this.around.close());
    return this.closing;
  }

  private async stop(): Promise<ExitStatus> {
    await this.around.end?.();
    return this.process.stop();
  }

  private async ask(
    frames: readonly Uint8Array[],
    about: Pick<TimedOrder, "buffers" | "calls">,
    { limitSeconds, signal }: TimedLimits,
  ): Promise<TimedOutcome> {
    if (this.process.ended) return this.lost();
    this.write(frames);
    let isOver = false;
    const stop = (): void => void this.stop();
    const timer = setTimeout(() => {
      isOver = true;
      stop();
    }, limitSeconds * 1000);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const reply = await readReply((bytes) => this.take(bytes), about);
      return reply ?? this.lost();
    } catch (thrown) {
      if (!(thrown instanceof EndOfStream)) throw thrown;
      if (signal.aborted) throw new OperationalError("cancelled", { forUser: "the run was cancelled" });
      return isOver ? { kind: "timed-out" } : await this.lost();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  /** One write for all small frames: each may be a system call of its own. */
  private write(frames: readonly Uint8Array[]): void {
    const { input } = this.process;
    input.cork();
    for (const frame of frames) input.write(frame);
    input.uncork();
  }

  private async take(bytes: number): Promise<Uint8Array> {
    const taken = await this.stream.take(bytes);
    if (taken === undefined) throw new EndOfStream();
    return taken;
  }

  private async lost(): Promise<TimedOutcome> {
    // What has closed its stream is about to end by itself, and says how.
    await Promise.race([this.process.exited, pause(graceMilliseconds, undefined, { ref: false })]);
    const status = await this.stop();
    const words = this.process.standardError().trim().split("\n").slice(-4).join("\n");
    return {
      kind: "lost",
      message: `the process ended ${exitText(status)}${words === "" ? "" : `: ${words}`}`,
    };
  }
}

class EndOfStream extends Error {}
