import { expect, test } from "vitest";
import type { LastContent } from "../../../server/core/ports/entry-programs";
import { matchContents } from "../../../server/host/worker/program/last-contents";

/** `centre(const float*, float*, float, int)`, `widen` alike, `count(const float*, int*, float, int)`. */
const symbols = { centre: "_Z6centrePKfPffi", widen: "_Z5widenPKfPffi", count: "_Z5countPKfPifi" };
const judged = {
  kernel: "chain.cu::centre",
  launch: { grid: [1], block: [1], arguments: ["volts", "level"] },
  sizes: new Set([4]),
} as unknown as Parameters<typeof matchContents>[2];

interface Held {
  readonly bytes: readonly number[];
  readonly by?: keyof typeof symbols;
  readonly shown?: boolean;
  readonly isPassedOn?: boolean;
}

function content({ bytes, by, shown, isPassedOn = false }: Held): LastContent {
  const held = Uint8Array.from(bytes);
  const writers = by === undefined ? [] : [{ kernel: symbols[by], parameter: 1 }];
  return { content: held, ...(shown === true ? { shown: held } : {}), isPassedOn, writers };
}

const level: Held = { bytes: [1, 2, 3, 4], by: "centre", isPassedOn: true };
const out: Held = { bytes: [5, 6, 7, 8], by: "widen", shown: true };
const fused: Held = { ...out, by: "centre" };

/** Outputs that are compared, with the bytes of both runs; or why they are not. */
test.each<[string, readonly Held[], readonly Held[], unknown]>([
  ["all allocations of both", [level, out], [level, out], ["level 1,2,3,4 = 1,2,3,4"]],
  ["what is read, where one is gone", [level, out], [fused], ["read: level 5,6,7,8 = 5,6,7,8"]],
  [
    "what is read, where one is left alone",
    [level, out],
    [{ bytes: [0, 0, 0, 0] }, fused],
    ["read: level 5,6,7,8 = 5,6,7,8"],
  ],
  [
    "what is read and of the same type, where its bytes differ",
    [level, out],
    [{ ...fused, bytes: [5, 6, 7, 9] }],
    ["read: level 5,6,7,8 = 5,6,7,9"],
  ],
  [
    "nothing of another type, where its bytes differ",
    [level, { ...out, by: "count" }],
    [{ ...fused, bytes: [5, 6, 7, 9] }],
    "it allocates 1 times 4 bytes, the original 2 times, so that what its kernels leave cannot be compared",
  ],
  [
    "nothing of another size, where its bytes differ",
    [level, out, { bytes: [1, 2], by: "widen", shown: true }],
    [fused, { bytes: [1, 3], by: "centre", shown: true }],
    "it allocates 1 times 4 bytes, the original 2 times, so that what its kernels leave cannot be compared",
  ],
  [
    "nothing where the program reads something else",
    [level, out],
    [{ ...fused, shown: false }],
    "it allocates 1 times 4 bytes, the original 2 times, so that what its kernels leave cannot be compared",
  ],
  [
    "all of a kernel's results, read or not, that no other kernel takes",
    [{ ...level, isPassedOn: false }, out],
    [{ bytes: [0, 0, 0, 0] }, fused],
    ["level 1,2,3,4 = 0,0,0,0"],
  ],
  [
    "what host code made stays a difference",
    [{ ...level, shown: true }],
    [{ bytes: [1, 2, 3, 4] }],
    ["level 1,2,3,4 = 1,2,3,4"],
  ],
])("of two runs of a program: %s", (_, before, now, expected) => {
  const matched = matchContents(before.map(content), now.map(content), judged);
  const told = matched.ok
    ? matched.value.pairs.map(
        ({ output, before: one, now: other }) =>
          `${matched.value.shownAlone ? "read: " : ""}${output} ${one.content.join()} = ${other.content.join()}`,
      )
    : matched.problem;
  expect(told).toEqual(expected);
});
