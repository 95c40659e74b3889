import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, connect as dial } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** A real sshd of our own: own keys, own port on the loopback, own client configuration. */
export interface LoopbackSshd {
  /** A name that only `configFile` knows. */
  readonly host: string;
  readonly configFile: string;
  readonly folder: string;
  /** Ends the server and every session of it. */
  stop(): Promise<void>;
}

const program = "/usr/sbin/sshd";

/** Why there is no sshd to test with; undefined when there is one. As root it is installed. */
export function sshdProblem(): string | undefined {
  if (existsSync(program)) return undefined;
  if (userInfo().uid !== 0)
    return `${program} is missing and only root can install it: apt-get install openssh-server`;
  try {
    execFileSync("apt-get", ["install", "-y", "-q", "openssh-server", "openssh-client"], {
      stdio: "ignore",
      timeout: 180_000,
    });
  } catch (error) {
    return `openssh-server could not be installed: ${String(error)}`;
  }
  return existsSync(program) ? undefined : "openssh-server was installed without sshd";
}

/** `path`: folders that its sessions find programs in before all others. */
export async function startSshd({ path: first = "" } = {}): Promise<LoopbackSshd> {
  const folder = mkdtempSync(join(tmpdir(), "kw-sshd-"));
  const path = (name: string): string => join(folder, name);
  for (const key of ["host_key", "user_key"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path(key)]);
  execFileSync("cp", [path("user_key.pub"), path("authorized_keys")]);
  chmodSync(path("authorized_keys"), 0o600);
  if (userInfo().uid === 0) mkdirSync("/run/sshd", { recursive: true });
  const port = await freePort();
  writeFileSync(
    path("sshd_config"),
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${path("host_key")}`,
      `AuthorizedKeysFile ${path("authorized_keys")}`,
      `PidFile ${path("sshd.pid")}`,
      "StrictModes no",
      "UsePAM no",
      "PasswordAuthentication no",
      "PermitRootLogin yes",
      "MaxStartups 100",
      "MaxSessions 50",
      `SetEnv XDG_CACHE_HOME=${path("cache")} PATH=${first}:${process.env["PATH"] ?? ""}`,
      "",
    ].join("\n"),
  );
  writeFileSync(
    path("ssh_config"),
    [
      "Host far",
      "  HostName 127.0.0.1",
      `  Port ${port}`,
      `  User ${userInfo().username}`,
      `  IdentityFile ${path("user_key")}`,
      "  IdentitiesOnly yes",
      "  StrictHostKeyChecking no",
      `  UserKnownHostsFile ${path("known_hosts")}`,
      "  LogLevel ERROR",
      "",
    ].join("\n"),
  );
  const server = spawn(program, ["-D", "-e", "-f", path("sshd_config")], { detached: true, stdio: "ignore" });
  await reachable(port, server);
  return {
    host: "far",
    configFile: path("ssh_config"),
    folder,
    stop: async () => {
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Tries again as long as the server runs: it listens when it can be reached. */
async function reachable(port: number, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const socket = dial(port, "127.0.0.1");
    const connected = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (connected) return;
  }
  throw new Error("sshd ended at once");
}
