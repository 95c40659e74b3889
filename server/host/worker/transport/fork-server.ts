import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePrivateFolder, type PrivateFolder } from "../../process/private-folder";
import { startProcess, type RunningProcess } from "../../process/start-process";

/** The longest path of a Unix socket that every Linux takes, in bytes (unix(7): 108 with the final zero). */
const pathLimitBytes = 107;

/** The process that forks candidate processes, and the socket at which it listens. */
interface Listening {
  readonly server: RunningProcess;
  readonly folder: PrivateFolder;
  readonly socket: string;
}

interface ForkServerOptions {
  readonly python: string;
  readonly workerFolder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The process that has torch and triton imported, so that a candidate process starts in the time of a fork.
 * It is started when first needed, and anew after it was lost.
 */
export class ForkServer {
  private listening: Promise<Listening | undefined> | undefined;
  private closed = false;

  constructor(private readonly options: ForkServerOptions) {}

  /**
   * The socket of the running server. Undefined where there can be none: not on Linux, or where it once did
   * not start.
   */
  async socket(): Promise<string | undefined> {
    if (process.platform !== "linux" || this.closed) return undefined;
    const attempt = this.listening;
    const found = await attempt;
    // Of several callers that found none, the first starts it.
    if (this.listening === attempt && (attempt === undefined || found?.server.ended))
      this.listening = this.start();
    return (await this.listening)?.socket;
  }

  async close(): Promise<void> {
    this.closed = true;
    const found = await this.listening;
    await found?.server.stop();
    await found?.folder.remove();
  }

  private async start(): Promise<Listening | undefined> {
    const { python, workerFolder, environment } = this.options;
    const folder = await makePrivateFolder(join(tmpdir(), "kernelwright-forks-"));
    const socket = join(folder.path, "s");
    const server =
      Buffer.byteLength(socket) > pathLimitBytes
        ? undefined
        : await startProcess({
            command: python,
            arguments: [workerFolder, "fork-server", socket],
            environment,
          }).catch(() => undefined);
    if (server !== undefined && (await saysLine(server))) {
      void server.exited.then(() => folder.remove());
      return { server, folder, socket };
    }
    await folder.remove();
    return undefined;
  }
}

/** Whether it writes anything before it ends. */
function saysLine(server: RunningProcess): Promise<boolean> {
  return new Promise((resolve) => {
    server.output.once("data", () => resolve(true));
    void server.exited.then(() => resolve(false));
  });
}
