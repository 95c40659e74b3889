import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { eventually, PATIENCE_MS } from "../harness/eventually";
import { scenario } from "../harness/scenario";
import { openWorkbench, type Workbench } from "../harness/workbench";
import { stopAndReview } from "./review-changes";
import { pageFrame } from "./webview-page";

const RUN_LIMIT_MS = 240_000;

const rotate = `// Turns an image by a quarter to the right.
__global__ void rotate_right(const float* image, float* turned, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    turned[x * height + (height - 1 - y)] = image[y * width + x];
  }
}
`;

/** Two folders with a kernel of the same name in a file of the same name, each with its own GPU. */
const files: Readonly<Record<string, string>> = {
  "camera/rotate.cu": rotate,
  "scanner/rotate.cu": rotate,
  "scanner/.vscode/settings.json": JSON.stringify({ "kernelwright.target": "vgpu:sm_90" }),
  "two.code-workspace": JSON.stringify({ folders: [{ path: "scanner", name: "paper" }, { path: "camera" }] }),
};

describe("a workspace of two folders", () => {
  const step = scenario(() => workbench);
  const place = mkdtempSync(join(tmpdir(), "kernelwright-two-"));
  const data = mkdtempSync(join(tmpdir(), "kernelwright-data-"));
  const textOf = (file: string): string => readFileSync(join(place, file), "utf8");
  let workbench: Workbench;

  beforeAll(async () => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(place, file)), { recursive: true });
      writeFileSync(join(place, file), text);
    }
    workbench = await openWorkbench({
      workspace: join(place, "two.code-workspace"),
      environment: { XDG_DATA_HOME: data },
    });
  });
  afterAll(async () => {
    await workbench.screenshot("75-end-of-two-folders");
    await workbench.close();
    for (const each of [place, data]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  });

  const kernelsBecome = (what: string, accept: (descriptions: string) => boolean): Promise<unknown> =>
    eventually({
      what,
      read: async () => (await workbench.tree("Kernels").rows()).map(({ description }) => description),
      accept: (descriptions) => accept(descriptions.join("\n")),
    });

  const openIn = async (folder: string): Promise<void> => {
    await workbench.tree("Kernels").clickBeside(`${folder}/rotate.cu`);
    await workbench.page
      .locator(".editor-group-container.active .breadcrumbs-control .monaco-breadcrumb-item", {
        hasText: folder,
      })
      .waitFor({ timeout: PATIENCE_MS });
    await workbench.editor.waitForLens("Optimize");
  };

  step("lists the kernels of both by their folders", async () => {
    await workbench.showContainer("Kernelwright");
    await kernelsBecome("both kernels", (all) => all === "camera/rotate.cu:2\npaper/rotate.cu:2");
    await workbench.screenshot("75-two-folders-kernels");
  });

  step("checks a kernel for the GPU of its folder", async () => {
    await openIn("paper");
    await workbench.editor.clickLens("Check");
    const said = await workbench.notifications.waitFor(/rotate_right: correct on \d+ cases/, RUN_LIMIT_MS);
    expect(said).toContain("H100");
    await workbench.screenshot("75-two-folders-target");
    await workbench.runCommand("Notifications: Clear All Notifications");
  });

  step("optimizes the kernel of one folder, and leaves the other's", async () => {
    await openIn("camera");
    await workbench.editor.clickLens("Profile");
    await workbench.editor.waitForDecoration(/of the modelled cost/, RUN_LIMIT_MS);
    await workbench.editor.clickLens("Optimize");
    // A newcomer's window waits for the whole run over the same kernel.
    await stopAndReview(workbench, RUN_LIMIT_MS);
    const { line } = await workbench.editor.waitForDecoration(/\+ int x = .*threadIdx\.y/);
    const beside = (await workbench.editor.decorations()).filter((each) => each.line === line);
    expect(beside.map(({ text }) => text)).not.toContainEqual(expect.stringContaining("modelled cost"));
    await workbench.screenshot("75-two-folders-review");
    await workbench.runCommand("Kernelwright: Accept All Changes");
    await eventually({
      what: "the accepted change",
      read: () => workbench.editor.text(),
      accept: (text) => text !== rotate,
    });
    await workbench.editor.press("Control+S");
    await eventually({
      what: "the file saved",
      read: () => Promise.resolve(textOf("camera/rotate.cu")),
      accept: (text) => text !== rotate,
    });
    expect(textOf("scanner/rotate.cu")).toBe(rotate);
    await kernelsBecome("what is known of each", (all) =>
      /best .*−\d+%.* camera\/rotate\.cu:\d+\n.*correct · paper\/rotate\.cu:2/.test(all),
    );
  });

  step("names the folder of a session, and opens its trajectory", async () => {
    const [row] = await workbench.tree("Sessions").rows();
    expect(row).toMatchObject({
      label: "rotate_right",
      description: expect.stringContaining("camera/rotate.cu"),
    });
    await workbench.tree("Sessions").click("rotate_right");
    const frame = await pageFrame(workbench, /^rotate_right$/);
    await frame.getByText(/of \d+ events/).waitFor({ timeout: PATIENCE_MS });
    await workbench.screenshot("75-two-folders-trajectory");
  });
});
