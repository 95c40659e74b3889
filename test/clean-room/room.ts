import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../../server/setup/support/layout.mjs";
import { exitCode } from "../../server/setup/support/processes.mjs";

/**
 * What a user's shell would hand on on a machine without anything of ours: how to find programs, the network
 * and its certificates. Nothing else of the developer's environment gets in.
 */
const PASSED_ON =
  /^(PATH|LANG|LC_.*|TZ|TMPDIR|USER|LOGNAME|.*_proxy|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|PIP_.*)$/i;

/** A clone of HEAD, with an empty home beside it, in a path with spaces. */
export interface Room {
  readonly folder: string;
  readonly clone: string;
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Makes the room. What npm and pip have downloaded before may be used again; what they installed may not. */
export function openRoom(): Room {
  const folder = mkdtempSync(join(tmpdir(), "kernelwright clean room "));
  const [clone, home] = [join(folder, "my clone"), join(folder, "home of mine")];
  execFileSync("git", ["clone", "--quiet", repository, clone]);
  mkdirSync(home);
  const passedOn = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && PASSED_ON.test(name) ? [[name, value] as const] : [],
  );
  return {
    folder,
    clone,
    environment: {
      ...Object.fromEntries(passedOn),
      ...downloads(),
      HOME: home,
      XDG_CACHE_HOME: join(home, ".cache"),
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_DATA_HOME: join(home, ".local", "share"),
      XDG_STATE_HOME: join(home, ".local", "state"),
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Where the downloads of npm and pip are kept, and the files that say where their registries are. */
function downloads(): Record<string, string> {
  const [cache, configuration] = [
    process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"),
    process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"),
  ];
  const files = {
    npm_config_userconfig: join(homedir(), ".npmrc"),
    PIP_CONFIG_FILE: join(configuration, "pip", "pip.conf"),
  };
  return {
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
    PIP_CACHE_DIR: join(cache, "pip"),
    ...Object.fromEntries(Object.entries(files).filter(([, path]) => existsSync(path))),
  };
}

/** A command of the user's in the clone. */
export class RoomCommand {
  readonly ended: Promise<number>;
  private readonly child: ChildProcess;
  private text = "";
  private readonly watchers = new Set<() => void>();

  constructor(room: Room, command: readonly [string, ...string[]]) {
    const [program, ...args] = command;
    this.child = spawn(program, args, {
      cwd: room.clone,
      env: room.environment,
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, as a terminal gives one to each command.
      detached: true,
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.text += text;
        for (const watcher of this.watchers) watcher();
      });
    this.ended = new Promise((resolve, reject) => {
      this.child.once("error", reject);
      this.child.once("close", (code, signal) => resolve(exitCode(code, signal)));
    });
  }

  /** Standard output and errors so far. */
  get said(): string {
    return this.text;
  }

  /** The first match in what the command says; rejects when the command ends without one. */
  sees(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(this.text);
        if (found) resolve(found[0]);
      };
      this.watchers.add(look);
      look();
      void this.ended.then((code) =>
        reject(new Error(`it ended with ${code} without ${pattern}:\n${this.text}`)),
      );
    });
  }

  /** Ctrl-C: a terminal sends it to the whole process group. */
  interrupt(): void {
    if (this.child.pid !== undefined && this.child.exitCode === null) process.kill(-this.child.pid, "SIGINT");
  }
}
