import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/**
 * Writes the sample `matmul` into a folder of samples under a name of its own, its first shape so large
 * that a test can act in the middle of what is done with it.
 *
 * @param size rows and columns of both matrices of that shape: 160 for a session, 512 for a check
 */
export function addLargerMatmul(folder: string, name: string, size: number): void {
  const rewrite = (from: string, to: string, change: (text: string) => string): void => {
    const text = readFileSync(join(folder, from), "utf8");
    expect(change(text)).not.toBe(text);
    writeFileSync(join(folder, to), change(text));
  };
  rewrite("matmul.cu", `${name}.cu`, (text) => text.replace(/\bmatmul\b/g, name));
  rewrite("matmul.cu.kernel.json", `${name}.cu.kernel.json`, (text) =>
    text
      .replace('"matmul.cu::matmul"', `"${name}.cu::${name}"`)
      .replace('"m": 128, "n": 128, "k": 128', `"m": ${size}, "n": ${size}, "k": ${size}`),
  );
}
