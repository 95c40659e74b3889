/** One request to the program of `runtime/entry/timed.hpp`: calls that follow each other. */
export interface TimedOrder {
  /** The second-level cache is overwritten before the first call. */
  readonly cold: boolean;
  /** How many calls come before the timed ones. */
  readonly lead: number;
  /** Memory beside each buffer that no call may write. */
  readonly guard: GuardBand;
  readonly buffers: readonly { readonly bytes: number; readonly isOutput: boolean }[];
  readonly words: readonly ArgumentWord[];
  readonly calls: readonly TimedContents[];
}

/** So many bytes of one value before and behind each buffer. */
export interface GuardBand {
  readonly bytes: number;
  readonly value: number;
}

/** A word of the arguments: a value, or so many bytes behind the start of a buffer. */
export interface ArgumentWord {
  readonly buffer?: number;
  readonly value: bigint;
}

/** Which set of buffers a call uses, and what they hold before it. */
interface TimedContents {
  readonly set: number;
  readonly contents: readonly Uint8Array[];
}

export interface TimedReply {
  /** `outside`: the guard band of a buffer was written. */
  readonly kind: "returned" | "raised" | "failed" | "outside";
  /** Of all timed calls together. */
  readonly nanoseconds: number;
  readonly message: string;
  /** For each call what each output holds. */
  readonly outputs: readonly (readonly Uint8Array[])[];
}

const requestKinds = { run: 1n, code: 2n } as const;
const statusKinds = new Map<bigint, TimedReply["kind"]>([
  [1n, "returned"],
  [2n, "raised"],
  [4n, "failed"],
  [8n, "outside"],
]);
const wordBytes = 8;
const replyWords = 4;
const mostMessageBytes = 4096n;

/** The frames of a request, to be written one after the other. */
export function encodeOrder(order: TimedOrder): readonly Uint8Array[] {
  const { cold, lead, guard, buffers, words, calls } = order;
  const head = [
    ...[requestKinds.run, cold ? 1n : 0n, BigInt(calls.length), BigInt(lead)],
    ...[BigInt(buffers.length), BigInt(words.length), BigInt(guard.bytes), BigInt(guard.value)],
    ...buffers.map(({ bytes }) => BigInt(bytes)),
    ...buffers.map(({ isOutput }) => (isOutput ? 1n : 0n)),
    ...words.flatMap(({ buffer, value }) => [buffer === undefined ? 0n : BigInt(buffer + 1), value]),
  ];
  return [wordsOf(head), ...calls.flatMap(({ set, contents }) => [wordsOf([BigInt(set)]), ...contents])];
}

/** The frames that hand a kernel to the launcher: its symbol and a cubin or the text of PTX. */
export function encodeCode(symbol: string, image: Uint8Array): readonly Uint8Array[] {
  const name = new TextEncoder().encode(symbol);
  const head = [requestKinds.code, 0n, BigInt(name.length), BigInt(image.length), 0n, 0n, 0n, 0n];
  return [wordsOf(head), name, image];
}

/** Reads a reply; undefined for words that are no reply. `take` gives so many bytes of the stream. */
export async function readReply(
  take: (bytes: number) => Promise<Uint8Array>,
  { buffers, calls }: Pick<TimedOrder, "buffers" | "calls">,
): Promise<TimedReply | undefined> {
  const head = viewOf(await take(replyWords * wordBytes));
  const kind = statusKinds.get(head.getBigUint64(0, true));
  const messageBytes = head.getBigUint64(2 * wordBytes, true);
  const done = head.getBigUint64(3 * wordBytes, true);
  const isWhole = done === 0n || done === BigInt(calls.length);
  if (kind === undefined || messageBytes > mostMessageBytes || !isWhole) return undefined;
  const message = new TextDecoder().decode(await take(Number(messageBytes)));
  const outputs: (readonly Uint8Array[])[] = [];
  while (outputs.length < Number(done)) {
    const contents: Uint8Array[] = [];
    for (const { bytes, isOutput } of buffers) if (isOutput) contents.push(await take(bytes));
    outputs.push(contents);
  }
  return { kind, nanoseconds: head.getFloat64(wordBytes, true), message, outputs };
}

function wordsOf(values: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(values.length * wordBytes);
  const view = viewOf(bytes);
  for (const [index, value] of values.entries())
    view.setBigUint64(index * wordBytes, BigInt.asUintN(64, value), true);
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
