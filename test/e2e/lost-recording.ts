import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Workbench } from "../harness/workbench";
import { openSpecByLens } from "./first-findings";

/** A program whose kernel gets what its host code has made. */
export const recordedProgram = `__global__ void halve(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] / 2;
}

int main() {
  float* x;
  cudaMallocManaged(&x, 4000);
  for (int i = 0; i < 1000; ++i) x[i] = i;
  halve<<<8, 128>>>(x, 1000);
  return cudaDeviceSynchronize();
}
`;

/**
 * Records the program that the editor shows, opens what was written, loses what was recorded, and records it
 * again by the button.
 */
export async function recordTwice(workbench: Workbench, folder: string, sessions: string): Promise<void> {
  const { editor, notifications } = workbench;
  await editor.clickLens("Record");
  await notifications.waitFor(/Recorded halve/);
  await workbench.runCommand("Notifications: Clear All Notifications");
  await openSpecByLens(workbench, folder, "halve.cu.halve.kernel.json");
  rmSync(join(sessions, "recordings"), { recursive: true });
  await editor.clickLens("Check");
  const lost = /the recording of x is not on this machine/;
  await notifications.waitFor(lost);
  await workbench.screenshot("67-recording-lost");
  await notifications.press(lost, "Record Again");
  await notifications.waitFor(/Recorded halve/);
  await workbench.runCommand("Notifications: Clear All Notifications");
  // What was recorded draws the lenses anew, and a click may meet one that is being replaced.
  for (let click = 0; click < 3; click += 1) {
    await editor.clickLens("Check");
    if (await answersSoon(workbench)) break;
  }
  await notifications.waitFor(checked);
  await workbench.runCommand("Notifications: Clear All Notifications");
}

const checked = /halve: correct on \d+ cases/;
/** A check of this kernel takes about a second. */
const soonMilliseconds = 10_000;

async function answersSoon({ notifications }: Workbench): Promise<boolean> {
  return notifications.waitFor(checked, soonMilliseconds).then(
    () => true,
    () => false,
  );
}
