import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unnamedSources } from "../../../server/host/program/build/unnamed-sources";

const folder = mkdtempSync(join(tmpdir(), "unnamed-"));
mkdirSync(join(folder, "app"));
const files = {
  "app/main.cu": "int scale(float *x, int n);\nint main() { return scale(nullptr, 0); }\n",
  "app/scale.cu": "int scale(float *x, int n)\n{\n  return n;\n}\n",
  "app/notes.txt": "int scale(float *x, int n) {}\n",
  "other.cu": "int scale(float *x, int n) { return 0; }\n",
};
for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);

test.each([
  [
    "a function of a source beside it",
    "main.cu:2: undefined reference to `scale(float*, int)'",
    ["app/main.cu"],
    "scale is defined in app/scale.cu: name that source too, after app/main.cu\n",
  ],
  [
    "one in a namespace",
    "undefined reference to `nn::scale(float*, int)'",
    ["./app/main.cu"],
    "scale is defined in app/scale.cu: name that source too, after ./app/main.cu\n",
  ],
  ["one of a source that is named", "undefined reference to `scale'", ["app/main.cu", "app/scale.cu"], ""],
  ["one that no source has", "undefined reference to `offset(int)'", ["app/main.cu"], ""],
  ["another complaint", "cannot find -lscale", ["app/main.cu"], ""],
])("of %s the linker misses it is told where it stands", async (_, said, sources, expected) => {
  expect(await unnamedSources(said, { folder, sources })).toBe(expected);
});
