import { readFile } from "node:fs/promises";
import { onDisk } from "../disk";

/** How the segments of logs are read: a whole one at a time. */
export interface SegmentDisk {
  /** Throws OperationalError `disk-failed`. */
  read(path: string): Promise<Uint8Array>;
}

/** Segments as the file system has them. */
export const segmentDisk: SegmentDisk = {
  read: (path) => onDisk("read", path, () => readFile(path)),
};
