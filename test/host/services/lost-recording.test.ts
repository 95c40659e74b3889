import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RecordingStore } from "../../../server/host/storage/recordings";
import { systemIdentity } from "../../../server/host/system/identity";

test("a recording that another machine keeps is told with what brings it, in the editor and the terminal", async () => {
  const root = mkdtempSync(join(tmpdir(), "kernelwright-recordings-"));
  try {
    const lost = new RecordingStore(root, systemIdentity).load("0".repeat(64), "height");
    await expect(lost).rejects.toThrow(
      /^kernel spec: the recording of height is not on this machine, .* Record over the program .* capture PROGRAM$/,
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
