import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { CandidatePool, type CandidateProcess } from "../../../server/host/worker/compile/candidate-pool";
import { eventually } from "../../harness/eventually";
import { isAlive } from "../../harness/marked-processes";
import { localTransport } from "./worker-under-test";

const transport = localTransport();
const pool = new CandidatePool(transport, true);
/** Servers that test files before this one have started in the same process. */
const ofOthers = forkServers();

afterAll(async () => {
  await pool.close();
  await transport.close();
  expect(forkServers().filter((pid) => !ofOthers.includes(pid))).toEqual([]);
});

const device = {
  name: "none",
  multiprocessors: 1,
  sharedBytesPerBlock: 49152,
  threadsPerMultiprocessor: 1024,
  memory: 2 ** 32,
  secondLevelBytes: 5 << 20,
};

/** The diagnostics of a candidate that raises what the expression gives. */
async function raised({ connection }: CandidateProcess, expression: string): Promise<string> {
  const source = `import random\nimport numpy\nclass Answer:\n    raise RuntimeError(${expression})\n`;
  const params = { files: { "probe.py": source }, call: "probe.py::run", capability: 80, device };
  const { result } = await connection.request("load", params, { timeLimitMilliseconds: 60_000 });
  await connection.close();
  return JSON.stringify(result);
}

function childrenOf(pid: number): readonly number[] {
  const words = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  return words.filter(Boolean).map(Number);
}

/** The servers of this process, those of other test files among them. */
function forkServers(): readonly number[] {
  return childrenOf(process.pid).filter(
    (pid) => isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0fork-server\0"),
  );
}

test("two candidate processes draw numbers of their own", async () => {
  const drawn = "[random.random(), numpy.random.rand()]";
  const [first, second] = [await raised(await pool.take(), drawn), await raised(await pool.take(), drawn)];
  expect(first).toMatch(/RuntimeError: \[0\.\d+, 0\.\d+\]/);
  expect(second).not.toBe(first);
});

test("forks end with their server, and the next candidate gets a new one", async () => {
  const taken = await pool.take();
  const [server] = forkServers().filter((pid) => !ofOthers.includes(pid));
  expect(server).toBeDefined();
  const forks = childrenOf(server ?? 0);
  process.kill(server ?? 0, "SIGKILL");
  await eventually({
    what: "the forks ended",
    read: () => Promise.resolve({ lost: taken.connection.lost, alive: forks.filter(isAlive) }),
    accept: ({ lost, alive }) => lost && alive.length === 0,
  });
  expect(await raised(await pool.take(), "'reached'")).toContain("RuntimeError: reached");
});
