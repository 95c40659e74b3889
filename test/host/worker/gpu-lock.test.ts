import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { claimGpu } from "../../../server/host/worker/hardware/gpu-lock";

const folder = mkdtempSync(join(tmpdir(), "kernelwright-lock-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const signal = new AbortController().signal;
const path = join(folder, "kernelwright-gpu-GPU-1__.lock");

test("a GPU is one's own until it is released; the next one waits", async () => {
  const order: string[] = [];
  const first = await claimGpu("GPU-1/.", signal, folder);
  expect(readFileSync(path, "utf8")).toBe(`${process.pid}\n`);
  const second = claimGpu("GPU-1/.", signal, folder).then(async (claim) => {
    order.push("second");
    await claim.release();
  });
  order.push("first ends");
  await first.release();
  await second;
  expect([order, existsSync(path)]).toEqual([["first ends", "second"], false]);
});

test("the lock of a process that is gone is taken over; waiting for a living one can be cancelled", async () => {
  writeFileSync(path, `${spawnSync("true").pid}\n`);
  const claim = await claimGpu("GPU-1/.", signal, folder);
  const stopped = claimGpu("GPU-1/.", AbortSignal.abort(), folder);
  await expect(stopped).rejects.toMatchObject({ code: "cancelled" });
  await claim.release();
});
