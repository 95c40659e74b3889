import { type Allocation, linearAddress } from "./device-memory";
import { type Span, TouchedBytes } from "./touched-bytes";

/** What a launch touched of one allocation; a span is absent when nothing was. */
export interface AllocationAccess {
  readonly name: string;
  readonly read?: Span;
  readonly written?: Span;
  /** Bytes that were read before the launch had written them; an atomic reads. */
  readonly readFirst?: Span;
  readonly isAtomic: boolean;
  /** Bytes that several threads stored to, atomics aside. */
  readonly contendedBytes: number;
  /** Coordinates in the whole launch of the first thread that touched the last of the touched bytes. */
  readonly lastBy: readonly [number, number, number];
  /** Bytes of the elements that were accessed most, and whether they were of a floating type. */
  readonly elementBytes: number;
  readonly isFloat: boolean;
}

/** What launches and copies have touched of some allocations, since it was made. */
export class AccessLedger {
  private readonly records: readonly TouchedBytes[];

  constructor(allocations: readonly Allocation[]) {
    this.records = allocations
      .map((allocation) => new TouchedBytes(allocation))
      .sort((a, b) => a.start - b.start);
  }

  at(linear: number): TouchedBytes | undefined {
    for (const record of this.records) if (linear >= record.start && linear < record.end) return record;
    return undefined;
  }

  /** Host code had so many bytes copied from there (`load`) or to there (`store`). */
  noteCopy(access: "load" | "store", address: bigint, bytes: number): void {
    const from = linearAddress(address);
    const record = this.at(from);
    if (record !== undefined)
      record.noteCopy(access, from - record.start, Math.min(from + bytes, record.end) - record.start);
  }

  /** A launch begins. */
  begin(): void {
    for (const record of this.records) record.forgetWriters();
  }

  /** `placeOf`: coordinates in the last launch of a thread, by its number. */
  result(placeOf: (thread: number) => AllocationAccess["lastBy"]): readonly AllocationAccess[] {
    return this.records.map((record) => {
      const [read, written, readFirst] = (["read", "written", "readFirst"] as const).map((mark) =>
        record.span(mark),
      );
      const widest = record.widest();
      return {
        name: record.name,
        ...(read === undefined ? {} : { read }),
        ...(written === undefined ? {} : { written }),
        ...(readFirst === undefined ? {} : { readFirst }),
        isAtomic: record.isAtomic,
        contendedBytes: record.contended(),
        lastBy: placeOf(record.lastThread),
        elementBytes: Math.abs(widest),
        isFloat: widest < 0,
      };
    });
  }
}
