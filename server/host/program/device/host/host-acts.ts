import { createHash } from "node:crypto";
import { addressWindow } from "../../../../core/vgpu/index";
import type { DeviceStore } from "../device-store";
import type { DeviceLaunch } from "../launch-checks";
import { NamedThings } from "./named-things";

const wordBytes = 8;

/**
 * A digest of what host code does to its device: what it launches with which parameters, fills, copies and
 * reads, which textures it makes and which code it loads, and where. Addresses are told by the allocation,
 * textures by their number, so that the same acts on memory that lies elsewhere are the same.
 */
export class HostActs {
  private readonly hash = createHash("sha1");
  private readonly own: NamedThings<bigint>;
  private readonly images: NamedThings<number>;

  /** `lent`: where the buffers begin that the program was given. */
  constructor(
    private readonly store: DeviceStore,
    private readonly lent: readonly bigint[],
  ) {
    this.own = new NamedThings(() => store.allocated().filter((address) => !lent.includes(address)));
    this.images = new NamedThings(() => store.memory.images.handles());
  }

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
    if (value >= BigInt(base) && value < BigInt(base) + BigInt(bytes)) return value;
    const object = Number(value);
    // A number that a texture has as well may be that texture.
    return this.store.memory.images.find(object) === undefined
      ? value.toString(16)
      : `image ${this.images.name(object)}`;
  }

  /** An address in words. */
  place(address: bigint): string {
    const start = this.store.memory.find(address)?.address;
    if (start === undefined) return "nowhere";
    const number = this.lent.indexOf(start);
    return `${number < 0 ? `#${this.own.name(start)}` : `lent ${number}`}+${address - start}`;
  }
}
