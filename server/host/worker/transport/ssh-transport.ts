import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { OperationalError } from "../../../core/base/operational-error";
import { makePrivateFolder, type PrivateFolder } from "../../process/private-folder";
import { startProcess, type RunningProcess, type StartOptions } from "../../process/start-process";
import { workerEnvironment } from "./spawn-transport";
import type { WorkerRole } from "./protocol";
import type { Transport } from "./transport";
import { packWorker } from "./worker-archive";

/** How long a first connection may take: name lookup, jump hosts, keys held by an agent. */
const connectLimitMilliseconds = 60_000;
const linePrefix = "kernelwright:";

interface SshTransportOptions {
  /** As the user writes it after `ssh`; may name an entry of the user's configuration. */
  readonly host: string;
  readonly workerFolder: string;
  /** Interpreter on the far side; `python3` when left out. */
  readonly remotePython?: string;
  /** Another configuration file instead of the user's own. */
  readonly configFile?: string;
}

interface SessionOptions extends Pick<StartOptions, "environment" | "signal"> {
  /** Another interpreter than the worker's. */
  readonly python?: string;
}

/** The connection that the others share: it holds the far folder and lives as long as the transport. */
interface Anchor {
  readonly process: RunningProcess;
  readonly socket: string;
  readonly socketFolder: PrivateFolder;
  /** Far path of the worker's files. */
  readonly folder: string;
}

/**
 * Workers on another machine over the system's `ssh` with the user's own configuration. The first connection
 * carries the worker's files over, once for each content, and stays open; every worker is a session of that
 * connection. When it is lost, so are its workers, and the next start connects anew. Never asks for a
 * password: BatchMode.
 */
export class SshTransport implements Transport {
  readonly isHere = false;
  private current: Promise<Anchor> | undefined;

  /** Throws `usage` for a host that ssh would read as an option. */
  constructor(private readonly options: SshTransportOptions) {
    if (options.host === "" || options.host.startsWith("-"))
      throw new OperationalError("usage", { forUser: `"${options.host}" is no host name` });
  }

  get description(): string {
    return `ssh ${this.options.host}`;
  }

  async start(role: WorkerRole, signal?: AbortSignal): Promise<RunningProcess> {
    const anchor = await this.anchor();
    return this.session(anchor, [quote(anchor.folder), role], { environment: workerEnvironment, signal });
  }

  /** The Python of the far machine. */
  private get python(): string {
    return this.options.remotePython ?? "python3";
  }

  async startProgram(
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<RunningProcess> {
    const anchor = await this.anchor();
    const call = ["-I", "-S", quote(anchor.folder), "program", ...words.map(quote)];
    return this.session(anchor, call, { environment, signal });
  }

  async startTimed(
    python: string,
    words: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<RunningProcess> {
    const anchor = await this.anchor();
    const call = [quote(anchor.folder), "timed", ...words.map(quote)];
    return this.session(anchor, call, { python, environment: { ...workerEnvironment, ...environment } });
  }

  async close(): Promise<void> {
    const anchor = await this.current?.catch(() => undefined);
    this.current = undefined;
    if (anchor !== undefined) await discard(anchor);
  }

  /** A far Python with these arguments, as a session of the shared connection. */
  private async session(
    { socket }: Pick<Anchor, "socket">,
    call: readonly string[],
    { python = this.python, environment, signal }: SessionOptions,
  ): Promise<RunningProcess> {
    if (signal?.aborted) throw new OperationalError("cancelled", { forUser: "connecting was cancelled" });
    const variables = Object.entries(environment ?? {}).map(([name, value]) => quote(`${name}=${value}`));
    const command = ["exec", "env", ...variables, quote(python), ...call].join(" ");
    return this.ssh(["-o", "ControlMaster=no", "-o", `ControlPath=${socket}`], command, signal);
  }

  private async anchor(): Promise<Anchor> {
    const attempt = this.current;
    const known = await attempt?.catch(() => undefined);
    if (known !== undefined && !known.process.ended) return known;
    if (this.current === attempt) {
      attempt?.then(discard).catch(() => undefined);
      this.current = this.connect();
    }
    return this.current ?? this.connect();
  }

  private async connect(): Promise<Anchor> {
    const archive = await packWorker(this.options.workerFolder);
    // Socket paths are short by law (104 bytes on macOS, where the temporary folder's own path is long).
    const socketFolder = await makePrivateFolder(
      join(process.platform === "darwin" ? "/tmp" : tmpdir(), "kw-"),
    );
    const socket = join(socketFolder.path, "s");
    const loader = `import base64;exec(base64.b64decode("${Buffer.from(archive.bootstrap, "utf8").toString("base64")}"))`;
    const command = ["exec", quote(this.python), "-c", quote(loader), archive.digest].join(" ");
    const anchor = await this.ssh(
      ["-o", "ControlMaster=yes", "-o", "ControlPersist=no", "-o", `ControlPath=${socket}`],
      command,
    ).catch(async (thrown: unknown) => {
      await socketFolder.remove();
      throw thrown;
    });
    const timer = setTimeout(() => void anchor.stop(), connectLimitMilliseconds);
    try {
      return { process: anchor, socket, socketFolder, folder: await this.install(anchor, archive.bytes) };
    } catch (thrown) {
      await discard({ process: anchor, socketFolder });
      throw thrown;
    } finally {
      clearTimeout(timer);
      // Its end is noticed only while somebody reads.
      anchor.output.resume();
    }
  }

  /** Talks with the bootstrap until it says where the files are. */
  private async install(anchor: RunningProcess, archive: Uint8Array): Promise<string> {
    for await (const line of createInterface({ input: anchor.output, crlfDelay: Infinity })) {
      // A shell's start files may print; only lines with our mark count.
      if (!line.startsWith(linePrefix)) continue;
      const [word, ...rest] = line.slice(linePrefix.length).split(" ");
      if (word === "present") return rest.join(" ");
      if (word === "absent") {
        anchor.input.write(`${archive.byteLength}\n`);
        anchor.input.write(archive);
      } else
        throw new OperationalError("transport-failed", {
          forUser: `copying the worker to ${this.options.host} failed: the files arrived damaged`,
        });
    }
    const status = await anchor.exited;
    const told = anchor.standardError().trim().split("\n").slice(-3).join(" · ");
    const python = status.code === 127;
    throw new OperationalError(python ? "tool-missing" : "transport-failed", {
      forUser: python
        ? `${this.options.host} has no ${this.python}; install Python 3.8 or newer there`
        : `ssh ${this.options.host} failed: ${told === "" ? `status ${status.code ?? status.signal}` : told}`,
      forModel: "the connection to the target failed",
      remedy: python ? undefined : `ssh ${this.options.host} true`,
    });
  }

  private ssh(options: readonly string[], command: string, signal?: AbortSignal): Promise<RunningProcess> {
    const config = this.options.configFile === undefined ? [] : ["-F", this.options.configFile];
    return startProcess({
      command: "ssh",
      arguments: [...config, "-T", "-o", "BatchMode=yes", ...options, "--", this.options.host, command],
      passVariables: ["SSH_AUTH_SOCK", "SSH_AGENT_PID", "KRB5CCNAME"],
      signal,
    });
  }
}

async function discard(anchor: Pick<Anchor, "process" | "socketFolder">): Promise<void> {
  await anchor.process.stop();
  await anchor.socketFolder.remove();
}

/** One word for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}
