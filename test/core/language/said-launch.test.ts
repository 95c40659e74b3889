import { expect, test } from "vitest";
import type { Constants } from "../../../server/core/language/cuda/constants";
import { saidLaunches, wholeSizes } from "../../../server/core/language/cuda/launch/sizes/said-launch";

const constants: Constants = new Map([["TILE", { name: "TILE", text: "16", node: undefined }]]);

test.each<readonly [text: string, launches: readonly string[]]>([
  ["// <<<min(2048, (len + 255) / 256), 256>>>", ["min(2048, (len + 255) / 256) | 256 1 1"]],
  [
    "//   dim3 grid(tokens, (len + 255) / 256);\n//   tally<<<grid, 256, 0, stream>>>(x, len);",
    ["tokens, (len + 255) / 256 | 256 1 1"],
  ],
  [
    "// block (32,8,1), grid (ceil(len/32), ceil(rows/8), 1)",
    ["ceil_div(len, 32), ceil_div(rows, 8), 1 | 32 8 1"],
  ],
  [
    "/* dim3 block(TILE, TILE); dim3 grid((len + block.x - 1) / block.x, rows); tally<<<grid, block>>>(…) */",
    ["(len + 16 - 1) / 16, rows | 16 16 1"],
  ],
  ["// One warp a row, 128 threads per block.", [" | 128 1 1"]],
  ["// launched with blocks of 64 threads\nint f;", [" | 64 1 1"]],
  ["// blockDim.x must be 512", [" | 512 1 1"]],
  ["// block size 16x16, grid: (ROWS, 1)", ["rows, 1 | 16 16 1"]],
  [
    "// Launch: block 256, grid ( ceil(len * TILE / 256), rooms ).",
    ["ceil_div(len * 16, 256), rooms | 256 1 1"],
  ],
  ["// grid: tokens, block: (32, 8). One warp a head.", ["tokens | 32 8 1"]],
  ["// grid = rows * 4; block = 128 threads", ["rows * 4 | 128 1 1"]],
  ["// see block 7 of the paper", []],
  ["// blocks of 64 elements; 8 threads share a value", []],
  ["// <<<len, threads>>>", []],
  ["tally<<<len, 256>>>(x, len);", []],
])("launches that %j tells", (text, launches) => {
  const found = saidLaunches(text, { kernel: "tally", numbers: ["len", "rows"], constants });
  const shown = found.map(
    ({ grid, block }) => `${grid.map((each) => each ?? "?").join(", ")} | ${block.join(" ")}`,
  );
  expect(shown).toEqual(launches);
});

test.each<readonly [text: string, wholes: readonly string[]]>([
  ["// grid(ceil(len/32), rows/16, planes / 4), block(32, 8)", ["rows 16", "planes 4"]],
  ["// <<<(len + 255) / 256, 256>>>", []],
  ["// <<<len * rows / 256, 256>>>", []],
])("whole parts that %j tells", (text, wholes) => {
  const said = saidLaunches(text, { kernel: "tally", numbers: ["len", "rows"], constants });
  expect(wholeSizes(said).map(({ name, value }) => `${name} ${value}`)).toEqual(wholes);
});
