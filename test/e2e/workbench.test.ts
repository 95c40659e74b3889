import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copySamples } from "../harness/editor-host";
import { openWorkbench, type Workbench } from "../harness/workbench";

describe("the workspace of samples", () => {
  const samples = copySamples();
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({ workspace: samples.folder });
  });
  afterAll(async () => {
    await workbench.close();
    samples.remove();
  });

  it("opens with the kernel in CUDA C++", async () => {
    await workbench.openFile("transpose.cu");
    expect([...(await workbench.editor.lines()).values()].join("\n")).toContain("__global__");
    expect(await workbench.statusItems()).toContain("CUDA C++");
    await workbench.screenshot("01-workbench");
  });
});
