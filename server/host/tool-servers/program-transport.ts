import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { RunningProcess } from "../process/start-process";
import type { Sdk } from "./sdk-type";

/** The protocol's messages over the streams of a program of ours, a line each. */
export class ProgramTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(
    private readonly sdk: Pick<Sdk, "ReadBuffer" | "serializeMessage">,
    private readonly program: RunningProcess,
  ) {}

  start(): Promise<void> {
    const buffer = new this.sdk.ReadBuffer();
    this.program.output.on("data", (chunk: Buffer) => {
      buffer.append(chunk);
      this.readAll(buffer);
    });
    void this.program.exited.then(() => this.onclose?.());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) =>
      this.program.input.write(this.sdk.serializeMessage(message), (error) =>
        error ? reject(error) : resolve(),
      ),
    );
  }

  async close(): Promise<void> {
    await this.program.stop();
  }

  /** A line that is no message is told and passed over. */
  private readAll(buffer: InstanceType<Sdk["ReadBuffer"]>): void {
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (thrown) {
        this.onerror?.(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    }
  }
}
