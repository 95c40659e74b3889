import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProposedFile } from "../../../server/core/review/hunk";
import { applyProposal } from "../../../server/host/cli/session/apply-proposal";

let top: string;
let folder: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "kernelwright-apply-"));
  folder = join(top, "workspace");
  for (const name of ["workspace/src", "elsewhere"]) mkdirSync(join(top, name), { recursive: true });
  writeFileSync(join(folder, "src/a.c"), "a\n");
  symlinkSync(join(top, "elsewhere"), join(folder, "src/out"));
  symlinkSync("src", join(folder, "link"));
  symlinkSync(join(top, "elsewhere/gone.c"), join(folder, "src/gone.c"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const edited: ProposedFile = { file: "src/a.c", base: "a\n", proposed: "b\n" };
const made = (file: string): ProposedFile => ({ file, base: "", proposed: "new\n", isNew: true });

test("new files are made beside those that are edited, with their folders", async () => {
  const files = ["src/deep/er/n.c", "src/n.c"];
  expect(await applyProposal(folder, [edited, ...files.map(made)])).toEqual(["src/a.c", ...files]);
  expect(["src/a.c", ...files].map((file) => readFileSync(join(folder, file), "utf8"))).toEqual([
    "b\n",
    "new\n",
    "new\n",
  ]);
});

test.each([
  ["a file that is there by now", "src/a.c", "src/a.c is there since the session began"],
  ["a folder that leads out of the workspace", "src/out/n.c", "src/out is a link"],
  ["a folder that is a link within it", "link/n.c", "link is a link"],
  ["a link to a file that is not there", "src/gone.c", "src/gone.c is there since"],
  ["a file in place of a folder", "src/a.c/n.c", "src/a.c is no folder"],
])("nothing is written where a new file meets %s", async (_, file, says) => {
  await expect(applyProposal(folder, [edited, made(file)])).rejects.toThrow(says);
  expect(readFileSync(join(folder, "src/a.c"), "utf8")).toBe("a\n");
  expect(readdirSync(join(top, "elsewhere"))).toEqual([]);
});
