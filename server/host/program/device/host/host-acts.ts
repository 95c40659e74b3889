import { createHash } from "node:crypto";
import { addressWindow } from "../../../../core/vgpu/index";
import type { DeviceLaunch } from "../launch-checks";

const wordBytes = 8;

/**
 * A digest of what host code does to its device: what it launches with which parameters, fills, copies and
 * reads, and where. Addresses are told by the allocation, in the order in which they are named first, so that
 * the same acts on memory that lies elsewhere are the same.
 */
export class HostActs {
  private readonly hash = createHash("sha1");
  private readonly numbers = new Map<bigint, number>();

  /** `startOf`: where the allocation that an address lies in begins; undefined when there is none. */
  constructor(private readonly startOf: (address: bigint) => bigint | undefined) {}

  /** Notes an act; whole numbers of 64 bits are addresses. */
  note(what: string, ...told: readonly (bigint | number | string)[]): void {
    const words = told.map((each) => (typeof each === "bigint" ? this.place(each) : String(each)));
    this.hash.update(`${what} ${words.join(" ")}\n`);
  }

  launched({ kernel, grid, block, dynamicSharedBytes, parameters }: DeviceLaunch): void {
    const { buffer, byteOffset, byteLength } = parameters;
    const view = new DataView(buffer, byteOffset, byteLength);
    const words = Array.from({ length: Math.floor(byteLength / wordBytes) }, (_, word) =>
      this.word(view.getBigUint64(word * wordBytes, true)),
    );
    const rest = Buffer.from(parameters.subarray(words.length * wordBytes)).toString("hex");
    this.note("launch", kernel, ...grid, ...block, dynamicSharedBytes, ...words, rest);
  }

  /** Of all that was noted until now. */
  digest(): string {
    return this.hash.copy().digest("base64");
  }

  private word(value: bigint): bigint | string {
    const { base, bytes } = addressWindow;
    const isAddress = value >= BigInt(base) && value < BigInt(base) + BigInt(bytes);
    return isAddress ? value : value.toString(16);
  }

  /** An address in words. */
  place(address: bigint): string {
    const start = this.startOf(address);
    if (start === undefined) return "nowhere";
    const number = this.numbers.get(start) ?? this.numbers.size;
    this.numbers.set(start, number);
    return `#${number}+${address - start}`;
  }
}
