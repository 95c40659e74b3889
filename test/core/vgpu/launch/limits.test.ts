import { expect, it } from "vitest";
import { DeviceMemory, type LaunchRequest, launch } from "../../../../server/core/vgpu/index";
import { snippet } from "../snippets";
import { compileText } from "../support";

const kernel = compileText(snippet([], "mov.u32 %r0, 0;"), "kernel");

/** "completed", or why the launch is invalid. One block of one thread by default. */
function outcomeOf(request: Partial<LaunchRequest>): string {
  const outcome = launch(kernel, {
    grid: [1, 1, 1],
    block: [1, 1, 1],
    dynamicSharedBytes: 0,
    arguments: [],
    instructionBudget: 1e6,
    memory: new DeviceMemory(),
    ...request,
  });
  return outcome.kind === "fault" ? outcome.finding.message : outcome.kind;
}

const cases: readonly (readonly [string, Partial<LaunchRequest>])[] = [
  ["completed", {}],
  ["completed", { block: [1024, 1, 1] }],
  ["completed", { block: [1, 1, 64] }],
  ["completed", { grid: [1, 1, 9] }],
  ["completed", { dynamicSharedBytes: 232_448 }],
  ["invalid launch: 232449 bytes of shared memory are more than 232448", { dynamicSharedBytes: 232_449 }],
  ["invalid launch: -1 bytes of shared memory are more than 232448", { dynamicSharedBytes: -1 }],
  ["invalid launch: the grid (0, 1, 1) is out of range", { grid: [0, 1, 1] }],
  ["invalid launch: the grid (1, 65536, 1) is out of range", { grid: [1, 65_536, 1] }],
  ["invalid launch: the block (1, 1, 65) is out of range", { block: [1, 1, 65] }],
  ["invalid launch: the block (1.5, 1, 1) is out of range", { block: [1.5, 1, 1] }],
  ["invalid launch: 1056 threads a block are more than 1024", { block: [33, 32, 1] }],
];

it.each(cases)("%s: %j", (expected, request) => {
  expect(outcomeOf(request)).toBe(expected);
});
