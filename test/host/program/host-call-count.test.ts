import { expect, test } from "vitest";
import { noHostCalls } from "../../../server/core/timing/host/host-calls";
import { HostCallCount } from "../../../server/host/program/device/host/host-call-count";

/** What host code does, in order. */
type Step =
  | "launch"
  | "wait"
  | "own wait"
  | "to host"
  | "to device"
  | "further piece"
  | "shared"
  | "take 100"
  | "take 4000000"
  | "take pooled"
  | "pin";

const steps: Readonly<Record<Step, (count: HostCallCount) => void>> = {
  launch: (count) => count.worked(),
  wait: (count) => count.waited("sum.cu:7"),
  "own wait": (count) => count.waited(""),
  "to host": (count) => count.copied("toHost", 400),
  "to device": (count) => count.copied("toDevice", 400),
  "further piece": (count) => count.copied("toDevice", 400, false),
  shared: (count) => count.shared(64),
  "take 100": (count) => count.took(100, "allocation"),
  "take 4000000": (count) => count.took(4_000_000, "allocation"),
  "take pooled": (count) => count.took(4_000_000, "pooled allocation"),
  pin: (count) => count.took(4_000, "pinned memory"),
};

const taken = { small: 0, large: 0, pooled: 0 };

test.each<{ readonly title: string; readonly does: readonly Step[]; readonly counts: object }>([
  { title: "a wait between launches counts", does: ["launch", "wait", "launch"], counts: { waits: 1 } },
  { title: "a wait that no work follows does not", does: ["launch", "wait"], counts: {} },
  { title: "a wait for nothing does not", does: ["wait", "launch"], counts: {} },
  {
    title: "a second wait in a row does not",
    does: ["launch", "wait", "wait", "launch"],
    counts: { waits: 1 },
  },
  { title: "the runtime's own waits do not", does: ["launch", "own wait", "launch"], counts: {} },
  {
    title: "a copy waits itself",
    does: ["launch", "wait", "to host", "launch"],
    counts: { toHost: { calls: 1, bytes: 400 } },
  },
  {
    title: "pieces of one copy are one call",
    does: ["to device", "further piece", "launch"],
    counts: { toDevice: { calls: 1, bytes: 800 } },
  },
  { title: "shared memory counts by its bytes", does: ["shared", "launch"], counts: { sharedBytes: 64 } },
  {
    title: "memory counts by its size and how it is taken",
    does: ["take 100", "take 4000000", "take pooled", "take 100"],
    counts: { allocations: { small: 2, large: 1, pooled: 1 } },
  },
  {
    title: "pages of the host count apart",
    does: ["pin", "take 100", "pin"],
    counts: { allocations: { small: 1, large: 0, pooled: 0 }, pinned: { calls: 2, bytes: 8_000 } },
  },
])("$title", ({ does, counts }) => {
  const count = new HostCallCount({ allocated: () => [], sizeAt: () => 0, nameAt: () => "" }, []);
  for (const step of does) steps[step](count);
  expect(count.counted()).toEqual({ ...noHostCalls, ...counts });
});

test("memory that was taken before a case and is there behind it costs as if it was taken in it", () => {
  const live = [256n, 512n, 768n];
  const memory = {
    allocated: (): readonly bigint[] => live,
    sizeAt: (address: bigint): number => (address === 512n ? 4_000_000 : 100),
    nameAt: (): string => "allocation 1",
  };
  const count = new HostCallCount(memory, [256n]);
  expect(count.counted().allocations).toEqual({ ...taken, small: 1, large: 1 });
  live.pop();
  expect(count.counted().allocations).toEqual({ ...taken, large: 1 });
});
