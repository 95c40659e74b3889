import { expect, test } from "vitest";
import { DeviceStore } from "../../../server/host/program/device/device-store";
import { LaunchRecorder } from "../../../server/host/program/device/watch/launch-recorder";
import { snippet } from "../../core/vgpu/snippets";
import { compileText } from "../../core/vgpu/support";

const bufferBytes = 1024;
const kernel = compileText(snippet(["u64"], ""), "kernel");

/** Records launches of kernels on one buffer; those of "idle" leave it as it is, "endless" does not end. */
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
    if (name !== "idle") store.memory.write(made.value, Uint8Array.of(index + 1));
    if (name !== "endless") end(0);
  });
  const { launches, leftOut, unrecorded = [] } = recorder.capture();
  return [
    ...launches.map((each) => `${each.kernel} ${each.count}×`),
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
