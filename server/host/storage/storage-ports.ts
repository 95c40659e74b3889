import type { Clock } from "../../core/ports/clock";
import type { Identity } from "../../core/ports/identity";
import type { Redactor } from "../../core/trajectory/redact";
import type { BlobStore } from "./blob-store";
import type { SegmentDisk } from "./session/segment-disk";

/** What every part of the storage works with. */
export interface StoragePorts {
  readonly clock: Clock;
  readonly identity: Identity;
  readonly redactor: Redactor;
  readonly blobs: BlobStore;
  readonly disk: SegmentDisk;
}
