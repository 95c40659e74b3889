import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { setEnvironmentData } from "node:worker_threads";
import { afterAll, afterEach, expect, test } from "vitest";
import { assetPath } from "../../../server/host/assets";
import { codeFolderForThreads } from "../../../server/host/start/run-bundle";
import type { LaunchJob, LaunchResult } from "../../../server/host/worker/gpu/virtual-gpu";
import { VirtualGpuPool } from "../../../server/host/worker/gpu/virtual-gpu-pool";

const top = mkdtempSync(join(tmpdir(), "kernelwright-threads-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));
afterEach(() => setEnvironmentData(codeFolderForThreads, undefined));

/** Every thread of 16 blocks adds its number to one word. */
const job: LaunchJob = {
  ptx: `.version 8.0
.target sm_80
.address_size 64
.visible .entry sum(.param .u64 out)
{
.reg .b32 %r<2>; .reg .b64 %rd<2>;
ld.param.u64 %rd0, [out];
mov.u32 %r0, %tid.x;
red.global.add.u32 [%rd0], %r0;
ret;
}
`,
  entry: "sum",
  grid: [16, 1, 1],
  block: [64, 1, 1],
  dynamicSharedBytes: 0,
  counters: true,
  detectors: true,
  arguments: [{ kind: "pointer", buffer: 0, offset: 0 }],
  buffers: [{ name: "out", bytes: new Uint8Array(4), readOnly: false }],
};

/** Launches in a thread of its own until it is enough; gives each answer once. */
async function answersUntil(isEnough: () => boolean): Promise<readonly LaunchResult[]> {
  const pool = new VirtualGpuPool(assetPath("vgpu-thread.js"), 1);
  const answers: LaunchResult[] = [];
  const options = { signal: new AbortController().signal, limitSeconds: 60 };
  try {
    do {
      const answer = await pool.launch(job, options);
      if (!answers.some((before) => isDeepStrictEqual(before, answer))) answers.push(answer);
    } while (!isEnough());
  } finally {
    await pool.close();
  }
  return answers;
}

/** The kept files by their endings, with what tells one writing from another. */
function kept(folder: string): Readonly<Record<string, number>> {
  const files = readdirSync(folder).filter((name) => !name.endsWith(".tmp"));
  return Object.fromEntries(files.map((name) => [endingOf(name), statSync(join(folder, name)).ino]));
}

function endingOf(name: string): string {
  return name.replace(/^vgpu-[0-9a-f]{32}-[0-9a-f]+/, "vgpu");
}

test("a thread leaves its code to the next one, which answers the same, as does one with the code spoilt", async () => {
  const folder = join(top, "code");
  mkdirSync(folder, { mode: 0o700 });
  setEnvironmentData(codeFolderForThreads, folder);
  const first = await answersUntil(() => "vgpu" in kept(folder));
  expect(first).toMatchObject([{ kind: "done" }]);
  const files = kept(folder);
  // On a busy machine the thread may have done all before it first looks.
  expect(["vgpu", "vgpu,vgpu-brief"]).toContain(Object.keys(files).sort().join());
  // Code that is used is not written again.
  expect(await answersUntil(() => true)).toEqual(first);
  expect(kept(folder)).toEqual(files);
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), 1000);
  expect(await answersUntil(() => !isDeepStrictEqual(kept(folder), files))).toEqual(first);
});

test("a thread that is not told where code is kept, or where nothing can be, does without", async () => {
  const first = await answersUntil(() => true);
  setEnvironmentData(codeFolderForThreads, "/dev/null/code");
  expect(await answersUntil(() => true)).toEqual(first);
});
