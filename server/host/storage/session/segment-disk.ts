import { open, readFile } from "node:fs/promises";
import { onDisk } from "../disk";

/** How the segments of logs are read. Both throw OperationalError `disk-failed`. */
export interface SegmentDisk {
  /** A whole one. */
  read(path: string): Promise<Uint8Array>;
  /** From one byte to another, the last not included; less where the file is shorter. */
  readPart(path: string, from: number, to: number): Promise<Uint8Array>;
}

/** Segments as the file system has them. */
export const segmentDisk: SegmentDisk = {
  read: (path) => onDisk("read", path, () => readFile(path)),
  readPart: (path, from, to) =>
    onDisk("read", path, async () => {
      const file = await open(path, "r");
      try {
        const content = new Uint8Array(Math.max(0, Math.min(to, (await file.stat()).size) - from));
        const { bytesRead } = await file.read(content, 0, content.length, from);
        return content.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    }),
};
