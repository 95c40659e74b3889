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
  /** The outputs stay there, and are asked for if they are wanted. */
  readonly keeps?: boolean;
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
  readonly contents: readonly TimedContent[];
}

/** What a buffer holds before a call: these bytes, or what the process makes there itself. */
export type TimedContent = Uint8Array | RepeatedContent | DrawnContent;

/** One pattern of 8 bytes over and over. */
interface RepeatedContent {
  readonly kind: "repeated";
  readonly pattern: bigint;
}

/** Elements of a pool, chosen by a seed, as `oracle/pools.py` chooses them. */
interface DrawnContent {
  readonly kind: "drawn";
  readonly pool: number;
  /** 64 bits. */
  readonly seed: bigint;
  /** Which of an element's lowest bits the seed clears. */
  readonly mask: number;
}

/** Elements to draw from: so many bytes each, and a power of two of them. */
export interface Pool {
  readonly width: number;
  readonly content: Uint8Array;
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

const requestKinds = { run: 1n, code: 2n, pools: 3n, give: 4n, ready: 5n } as const;
const contentKinds = { given: 0n, repeated: 1n, drawn: 2n } as const;
const orderFlags = { cold: 1n, keeps: 2n } as const;
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
  const { cold, lead, guard, buffers, words, calls, keeps } = order;
  const flags = (cold ? orderFlags.cold : 0n) | (keeps === true ? orderFlags.keeps : 0n);
  const head = [
    ...[requestKinds.run, flags, BigInt(calls.length), BigInt(lead)],
    ...[BigInt(buffers.length), BigInt(words.length), BigInt(guard.bytes), BigInt(guard.value)],
    ...buffers.map(({ bytes }) => BigInt(bytes)),
    ...buffers.map(({ isOutput }) => (isOutput ? 1n : 0n)),
    ...words.flatMap(({ buffer, value }) => [buffer === undefined ? 0n : BigInt(buffer + 1), value]),
  ];
  return [
    wordsOf(head),
    ...calls.flatMap(({ set, contents }) => [wordsOf([BigInt(set)]), ...contents.flatMap(encodeContent)]),
  ];
}

function encodeContent(content: TimedContent): readonly Uint8Array[] {
  if (content instanceof Uint8Array) return [wordsOf([contentKinds.given]), content];
  if (content.kind === "repeated") return [wordsOf([contentKinds.repeated, content.pattern])];
  const { pool, seed, mask } = content;
  return [wordsOf([contentKinds.drawn, BigInt(pool), seed, BigInt(mask)])];
}

/** The frames that hand over what contents are drawn from; it replaces earlier pools. */
export function encodePools(pools: readonly Pool[]): readonly Uint8Array[] {
  const head = [requestKinds.pools, 0n, BigInt(pools.length), 0n, 0n, 0n, 0n, 0n];
  const about = pools.flatMap(({ width, content }) => [BigInt(width), BigInt(content.byteLength)]);
  return [wordsOf([...head, ...about]), ...pools.map(({ content }) => content)];
}

/** The frame that is answered when the process has done what needs no GPU. */
export function encodeReady(): readonly Uint8Array[] {
  return [wordsOf([requestKinds.ready, 0n, 0n, 0n, 0n, 0n, 0n, 0n])];
}

/** The frame that asks for the outputs of a call of the last order. */
export function encodeGive(call: number): readonly Uint8Array[] {
  return [wordsOf([requestKinds.give, 0n, BigInt(call), 0n, 0n, 0n, 0n, 0n])];
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
