import { invariant } from "../../base/assert";

/** What orders a list of allocations. */
interface Addressed {
  readonly address: bigint;
  readonly bytes: number;
}

/** Non-overlapping allocations in order of address. */
export class HeldAllocations<Held extends Addressed> {
  readonly list: Held[] = [];

  add(held: Held): void {
    this.list.splice(this.behind(held.address), 0, held);
  }

  remove(held: Held): void {
    this.list.splice(this.list.indexOf(held), 1);
  }

  /** The allocation that starts at an address. There must be one. */
  get(address: bigint): Held {
    const found = this.at(address);
    invariant(found, "the address is the start of an allocation");
    return found;
  }

  /** The allocation that starts at an address, if there is one. */
  at(address: bigint): Held | undefined {
    const found = this.list[this.behind(address) - 1];
    return found?.address === address ? found : undefined;
  }

  /** The allocation that holds the byte at an address, if there is one. */
  holding(address: bigint): Held | undefined {
    const found = this.list[this.behind(address) - 1];
    return found && address < found.address + BigInt(found.bytes) ? found : undefined;
  }

  /** Index of the first allocation that starts after an address. */
  private behind(address: bigint): number {
    let [low, high] = [0, this.list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.list[middle]?.address ?? 0n) > address) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
