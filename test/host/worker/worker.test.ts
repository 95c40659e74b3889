import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Transport } from "../../../server/host/worker/transport/transport";
import { startProcess, type RunningProcess } from "../../../server/host/process/start-process";
import { connect, WorkerHandle } from "../../../server/host/worker/transport/worker-handle";
import { localTransport, python } from "./worker-under-test";

const limit = { timeLimitMilliseconds: 90_000 };
const source = "__global__ void k(int* p) { *p = 1; }\n";
const compileParams = (
  files: Record<string, string>,
  main: string,
): { files: Record<string, string>; main: string; architecture: string; nvcc: string; seconds: number } => ({
  files,
  main,
  architecture: "sm_80",
  nvcc: "",
  seconds: 60,
});

/** The local transport, remembering the processes it started. */
function watched(): { readonly transport: Transport; readonly started: RunningProcess[] } {
  const inner = localTransport();
  const started: RunningProcess[] = [];
  return {
    started,
    transport: {
      ...inner,
      start: async (role, signal) => {
        const running = await inner.start(role, signal);
        started.push(running);
        return running;
      },
    },
  };
}

describe("a lost worker fails the request at hand, and the next request works", () => {
  test("killed in the middle", async () => {
    const { transport, started } = watched();
    const worker = new WorkerHandle(transport, "build");
    const running = worker.request("compile-cuda", compileParams({ "slow.cu": slow() }, "slow.cu"), limit);
    const expectation = expect(running).rejects.toMatchObject({ code: "worker-lost" });
    while (started[0] === undefined) await new Promise(setImmediate);
    process.kill(started[0].pid, "SIGKILL");
    await expectation;
    expect(
      await worker.request("compile-cuda", compileParams({ "k.cu": source }, "k.cu"), limit),
    ).toMatchObject({ result: { compiled: true } });
    expect(started).toHaveLength(2);
    await worker.close();
  });

  test("a line that is no message", async () => {
    const chatty = `import sys; sys.stdout.write('{"hello":{"protocol":1}}\\n'); sys.stdout.flush(); sys.stdin.readline(); print("Segmentation fault")`;
    let first = true;
    const transport: Transport = {
      ...localTransport(),
      start: (role, signal) => {
        const broken = first;
        first = false;
        return broken
          ? startProcess({ command: python, arguments: ["-c", chatty] })
          : localTransport().start(role, signal);
      },
    };
    const worker = new WorkerHandle(transport, "build");
    await expect(worker.request("examine", { nvcc: "" }, limit)).rejects.toMatchObject({
      code: "worker-protocol",
      message: expect.stringContaining("Segmentation fault") as string,
    });
    expect(await worker.request("examine", { nvcc: "" }, limit)).toMatchObject({
      result: { nvcc: { problem: "" } },
    });
    await worker.close();
  });

  test("another version of the protocol", async () => {
    const other: Transport = {
      ...localTransport(),
      start: () =>
        startProcess({
          command: python,
          arguments: ["-c", `print('{"hello":{"protocol":99}}', flush=True); input()`],
        }),
    };
    await expect(connect(other, "build")).rejects.toMatchObject({
      code: "worker-protocol",
      message: expect.stringContaining("99") as string,
    });
  });

  test("an answer that never comes", async () => {
    const silent: Transport = {
      ...localTransport(),
      start: () =>
        startProcess({
          command: python,
          arguments: ["-c", `import time; print('{"hello":{"protocol":1}}', flush=True); time.sleep(600)`],
        }),
    };
    const worker = new WorkerHandle(silent, "build");
    await expect(worker.request("examine", {}, { timeLimitMilliseconds: 500 })).rejects.toMatchObject({
      code: "worker-timeout",
      message: expect.stringContaining('did not answer "examine" within 1 s') as string,
    });
    await worker.close();
  });
});

test("cancelling one compilation leaves the worker and the others alone", async () => {
  const { transport, started } = watched();
  const worker = new WorkerHandle(transport, "build");
  const controller = new AbortController();
  const cancelled = worker.request("compile-cuda", compileParams({ "slow.cu": slow() }, "slow.cu"), {
    ...limit,
    signal: controller.signal,
  });
  const expectation = expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
  const other = worker.request("compile-cuda", compileParams({ "k.cu": source }, "k.cu"), limit);
  controller.abort();
  await expectation;
  expect(await other).toMatchObject({ result: { compiled: true } });
  expect(started).toHaveLength(1);
  await worker.close();
});

describe("compiler messages stand on the user's lines", () => {
  const check = async (files: Record<string, string>, main: string, expected: unknown): Promise<void> => {
    const worker = new WorkerHandle(localTransport(), "build");
    const { result } = await worker.request("compile-cuda", compileParams(files, main), limit);
    await worker.close();
    expect(result).toMatchObject({ compiled: false, diagnostics: expected });
  };
  test("nvcc, in a header of a folder", () =>
    check(
      {
        "src/a.cu": '#include "inner/b.cuh"\n',
        "src/inner/b.cuh": "\n__device__ int f() { return nope; }\n",
      },
      "src/a.cu",
      [{ severity: "error", file: "src/inner/b.cuh", line: 2, source: "nvcc" }],
    ));
  test("a header that is not there", () =>
    check({ "a.cu": "\n\n#include <nowhere.h>\n" }, "a.cu", [
      { severity: "error", file: "a.cu", line: 3, message: "nowhere.h: No such file or directory" },
    ]));
  test("ptxas: too much shared memory", () =>
    check(
      {
        "a.cu":
          "__global__ void k(int* p) {\n  __shared__ int t[20000];\n  t[threadIdx.x] = p[threadIdx.x];\n  __syncthreads();\n  p[threadIdx.x] = t[threadIdx.x + 1];\n}\n",
      },
      "a.cu",
      [
        {
          severity: "error",
          file: "a.cu",
          source: "ptxas",
          message: expect.stringContaining("too much shared data") as string,
        },
      ],
    ));
});

describe("what cannot be done is told with what to do", () => {
  test.each(["../up.cu", "/etc/abs.cu", "a//b.cu", "./a.cu"])(
    "a file outside of its folder: %s",
    async (name) => {
      const worker = new WorkerHandle(localTransport(), "build");
      await expect(
        worker.request("compile-cuda", compileParams({ [name]: source }, name), limit),
      ).rejects.toMatchObject({ code: "path-outside-workspace" });
      await worker.close();
    },
  );
  test("no nvcc where the setting says", async () => {
    const worker = new WorkerHandle(localTransport(), "build");
    await expect(
      worker.request(
        "compile-cuda",
        { ...compileParams({ "k.cu": source }, "k.cu"), nvcc: "/nowhere/nvcc" },
        limit,
      ),
    ).rejects.toMatchObject({
      code: "tool-missing",
      message: expect.stringContaining("/nowhere/nvcc") as string,
    });
    await worker.close();
  });
  test("Python without numpy", async () => {
    const folder = mkdtempSync(join(tmpdir(), "kw-bare-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const bare = join(folder, "python");
    writeFileSync(bare, `#!/bin/sh\nexec ${python} -S "$@"\n`);
    chmodSync(bare, 0o755);
    const { spawnTransport } = await import("../../../server/host/worker/transport/spawn-transport");
    const { workerFolder } = await import("./worker-under-test");
    const { connection } = await connect(spawnTransport({ python: bare, workerFolder }), "oracle");
    await expect(connection.request("open", {}, limit)).rejects.toMatchObject({
      code: "tool-missing",
      remedy: "pip install numpy",
    });
    await connection.close();
  });
});

/** A file that takes a compiler long. The comment keeps it out of the compile cache. */
function slow(): string {
  return `// ${process.hrtime.bigint()}\ntemplate <int n> struct F { static constexpr long v = F<n - 1>::v + F<n - 2>::v % 7; };\ntemplate <> struct F<0> { static constexpr long v = 0; };\ntemplate <> struct F<1> { static constexpr long v = 1; };\n__global__ void k(float* p) {\n#pragma unroll\n  for (int i = 0; i < 3000; ++i) p[i] = sinf(p[i]) + F<150>::v;\n}\n`;
}

test("a request that is asked back in ends before the next one is sent, also where it was cancelled", async () => {
  const deaf = `
import json, sys
def read():
    return json.loads(sys.stdin.readline())
def write(message):
    print(json.dumps(message), flush=True)
write({"hello": {"protocol": 1}})
calls = 0
while True:
    request = read()
    if "method" not in request:
        continue
    calls += 1
    write({"id": request["id"], "call": calls, "method": "launch", "params": {}})
    while read().get("return") != calls:
        pass
    write({"id": request["id"], "result": request["params"]})
`;
  const transport: Transport = {
    ...localTransport(),
    start: () => startProcess({ command: python, arguments: ["-c", deaf] }),
  };
  const { connection } = await connect(transport, "candidate");
  const cancelling = new AbortController();
  const asked = (number: number, signal?: AbortSignal): Promise<unknown> =>
    connection
      .request(
        "run",
        { number },
        {
          timeLimitMilliseconds: 20_000,
          ...(signal && { signal }),
          onCall: async () => {
            await new Promise(setImmediate);
            if (signal) cancelling.abort();
            return { result: {}, frames: [] };
          },
        },
      )
      .then(
        ({ result }) => result,
        (thrown: unknown) => (thrown instanceof Error ? thrown.message : thrown),
      );
  expect(await Promise.all([asked(1), asked(2, cancelling.signal), asked(3), asked(4)])).toEqual([
    { number: 1 },
    "run was cancelled",
    { number: 3 },
    { number: 4 },
  ]);
  await connection.close();
  expect(await asked(5)).toMatch(/was closed/);
});
