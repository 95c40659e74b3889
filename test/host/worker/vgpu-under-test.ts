import { buildSync } from "esbuild";
import { mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { VirtualGpuPool } from "../../../server/host/worker/gpu/virtual-gpu-pool";

const root = join(__dirname, "../../..");

/** The virtual GPU's thread as the product ships it: bundled from the sources at hand, under out/. */
export function bundledThread(): string {
  return bundled("server/host/worker/gpu/vgpu-thread.ts");
}

/** The thread of a program's device, likewise. */
export function bundledDeviceThread(): string {
  return bundled("server/host/program/service/device-thread.ts");
}

function bundled(source: string): string {
  const folder = join(root, "out/test");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, basename(source).replace(/ts$/, "js"));
  const building = `${file}.${process.pid}`;
  buildSync({
    entryPoints: [join(root, source)],
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile: building,
    logLevel: "error",
  });
  renameSync(building, file);
  return file;
}

export function virtualGpu(): VirtualGpuPool {
  return new VirtualGpuPool(bundledThread());
}
