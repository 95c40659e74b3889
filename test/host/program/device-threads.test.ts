import { expect, test } from "vitest";
import { type RunningDevice, startDevice } from "../../../server/host/program/run/device-host";
import { DeviceThreads } from "../../../server/host/program/run/device-threads";
import { bundledDeviceThread } from "../worker/vgpu-under-test";

const options = { architecture: "sm_80", sanitize: false, profile: false, launchBudget: 1000 };
const nothing = { findings: [], problems: [], kernels: [], launches: 0, timed: false };

/** What a device reports that no program has used, or why there is none. */
async function reportOf(device: Promise<RunningDevice>): Promise<unknown> {
  try {
    const started = await device;
    const { findings, problems, kernels, launches, timed } = await started.report();
    await Promise.all([started.close(), started.close()]);
    return { findings, problems, kernels, launches, timed };
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : thrown;
  }
}

/** A thread whose device has no architecture crashes. */
const steps: readonly (readonly [architecture: string | undefined, expected: unknown])[] = [
  ["sm_80", nothing],
  ["sm_90", nothing],
  [undefined, expect.stringMatching(/^the virtual GPU crashed: /)],
  ["sm_80", nothing],
];

test("devices follow each other in the same threads, and one that crashes takes no other with it", async () => {
  const threads = new DeviceThreads(bundledDeviceThread());
  const seen: unknown[] = [];
  for (const [architecture] of steps)
    seen.push(await reportOf(startDevice(threads, { ...options, architecture: architecture as string })));
  expect(seen).toEqual(steps.map(([, expected]) => expected));
});

test("devices that work at the same time have threads of their own", async () => {
  const threads = new DeviceThreads(bundledDeviceThread());
  const devices = await Promise.all([1, 2, 3, 4].map(() => startDevice(threads, options)));
  const places = new Set(devices.map(({ environment }) => environment["KERNELWRIGHT_DEVICE"]));
  const reports = await Promise.all(devices.map((device) => reportOf(Promise.resolve(device))));
  expect({ places: places.size, reports }).toEqual({ places: 4, reports: devices.map(() => nothing) });
});
