import type { BufferObservation, TouchedSpan } from "./observation";

/** What a recorder saw of a roomy buffer; offsets count from the buffer's start. */
type Recorded = BufferObservation;

/** The same counted from the address that the code got, so many bytes behind the start. */
export function bufferObservation(
  { read, written, readFirst, ...rest }: Recorded,
  before: number,
): BufferObservation {
  const moved = (span: TouchedSpan): TouchedSpan => ({
    ...span,
    from: span.from - before,
    to: span.to - before,
  });
  return {
    ...rest,
    ...(read === undefined ? {} : { read: moved(read) }),
    ...(written === undefined ? {} : { written: moved(written) }),
    ...(readFirst === undefined ? {} : { readFirst: moved(readFirst) }),
  };
}
