import { setTimeout as pause } from "node:timers/promises";
import { OperationalError } from "../../../../core/base/operational-error";
import { type ExitStatus, type RunningProcess, exitText } from "../../../process/start-process";
import { ByteStream } from "./byte-stream";
import { encodeCode, encodeOrder, readReply, type TimedOrder, type TimedReply } from "./timed-messages";

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
    return this.ask(encodeOrder(order), order, limits);
  }

  async close(): Promise<void> {
    await this.stop();
    await this.around.close();
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
    for (const frame of frames) this.process.input.write(frame);
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
