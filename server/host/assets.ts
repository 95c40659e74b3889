import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OperationalError } from "../core/base/operational-error";

/**
 * Absolute path of a file or folder that is shipped beside the bundles: `worker`, `prompts`, `skills`,
 * `vgpu-thread.js`.
 */
export function assetPath(name: string): string {
  // Run from its source, as tests do, this file stands beside folders that have the same names.
  const isSource = import.meta.url.endsWith(".ts");
  const places = isSource ? ["../../dist"] : [".", "../../dist"];
  const found = places
    .map((place) => fileURLToPath(new URL(`${place}/${name}`, import.meta.url)))
    .find((place) => existsSync(place));
  if (found === undefined)
    throw new OperationalError("file-not-found", {
      forUser: `A part of Kernelwright is missing: ${name}. Install the extension again, or run npm run build in a clone.`,
      remedy: "npm run build",
    });
  return found;
}

/** Path of the page that says how modelled numbers are made, as it came with this product. */
export function madeHowPage(): string {
  return assetPath("docs/how-a-number-is-made.md");
}

/** The texts of the files right in a folder, by their names. */
export async function readFolder(folder: string): Promise<Readonly<Record<string, string>>> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = files.map(async ({ name }) => [name, await readFile(join(folder, name), "utf8")] as const);
  return Object.fromEntries(await Promise.all(texts));
}
