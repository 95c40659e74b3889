import { expect, test } from "vitest";
import { DeviceStore } from "../../../server/host/program/device/device-store";
import { LaunchRecorder } from "../../../server/host/program/device/watch/launch-recorder";
import { snippet } from "../../core/vgpu/snippets";
import { compileText } from "../../core/vgpu/support";

const bufferBytes = 1024;
const kernel = compileText(snippet(["u64"], ""), "kernel");

/**
 * Records launches of kernels on one buffer; those of "idle" only read it, those of "stores" store what is
 * there already, those of "grows" change as many bytes as there were launches, "endless" does not end.
 */
function record(bytes: number, launched: readonly string[]): readonly string[] {
  const store = new DeviceStore(undefined);
  const made = store.allocate(bufferBytes, "a", "");
  if (!made.ok) throw new Error(made.problem.message);
  const recorder = new LaunchRecorder({ launches: 2, bytes }, store);
  const parameters = new Uint8Array(BigUint64Array.of(made.value).buffer);
  launched.forEach((name, index) => {
    const end = recorder.begin(
      {
        module: 0n,
        kernel: name,
        grid: [1, 1, 1],
        block: [1, 1, 1],
        dynamicSharedBytes: 0,
        dynamicSharedLimit: 0,
        cooperative: false,
        counted: false,
        sampled: false,
        breaksWhenRefused: false,
        triton: false,
        where: "",
        parameters,
      },
      kernel,
    );
    if (name === "grows") store.memory.write(made.value, new Uint8Array(index + 1).fill(index + 1));
    else if (name !== "idle" && name !== "stores") store.memory.write(made.value, Uint8Array.of(index + 1));
    const places = new Set([made.value]);
    const touched = { read: places, written: name === "idle" ? new Set<bigint>() : places };
    if (name !== "endless") end({ warpInstructions: 0, touched });
  });
  const { launches, leftOut, unrecorded = [] } = recorder.capture();
  return [
    ...launches.map(({ kernel: name, count, buffers }) => {
      const isStored = buffers.some(({ after, stored }) => after === undefined && stored);
      return `${name} ${count}×${isStored ? ", stored to" : ""}`;
    }),
    ...Object.entries(leftOut).map(([name, count]) => `${name}: ${count} left out`),
    ...unrecorded.map((each) => `${each.kernel} told by its arguments alone`),
  ];
}

test.each<readonly [string, number, readonly string[], readonly string[]]>([
  [
    "a launch that changes nothing has one place, however often it is made",
    6 * bufferBytes,
    [...Array<string>(50).fill("idle"), "writes"],
    ["idle 50×", "writes 1×"],
  ],
  [
    "a later launch that changes far more than the first one is recorded, too",
    6 * bufferBytes,
    Array<string>(20).fill("grows"),
    ["grows 19×", "grows 1×"],
  ],
  [
    "storing what is there already is storing, too",
    6 * bufferBytes,
    ["idle", "stores"],
    ["idle 1×", "stores 1×, stored to"],
  ],
  [
    "beyond the limit on bytes a launch is left out",
    2 * bufferBytes,
    ["first", "second", "second"],
    ["first 1×", "second: 1 left out", "second told by its arguments alone"],
  ],
  [
    "of a launch that never ends its arguments are told",
    6 * bufferBytes,
    ["first", "endless"],
    ["first 1×", "endless told by its arguments alone"],
  ],
])("%s", (_, bytes, launched, expected) => {
  expect(record(bytes, launched)).toEqual(expected);
});
