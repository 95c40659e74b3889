import { type Allocation, DeviceMemory, type Scratch } from "./device-memory";

/** A shared device memory as plain data, with the working memory of one launch in another thread. */
export interface MemoryLoan {
  readonly memory: WebAssembly.Memory;
  readonly allocations: readonly Allocation[];
  /** Addresses of the module's variables. */
  readonly symbols: ReadonlyMap<string, bigint>;
  /** Working memory: linear address, and size in bytes. */
  readonly linear: number;
  readonly bytes: number;
}

/** The device memory of another thread, lent for one launch. Nothing can be allocated in it. */
export class LentMemory extends DeviceMemory {
  override readonly memory: WebAssembly.Memory;

  constructor(private readonly loan: MemoryLoan) {
    super();
    this.memory = loan.memory;
  }

  override allocations(): readonly Allocation[] {
    return this.loan.allocations;
  }

  override find(address: bigint): (Allocation & { readonly freed: boolean }) | undefined {
    const found = this.loan.allocations.find(
      (entry) => address >= entry.address && address < entry.address + BigInt(entry.bytes),
    );
    return found && { ...found, freed: false };
  }

  override loadModule(): ReadonlyMap<string, bigint> {
    return this.loan.symbols;
  }

  override withScratch<Result>(bytes: number, _tracked: boolean, use: (scratch: Scratch) => Result): Result {
    const { linear, bytes: room } = this.loan;
    if (bytes > room)
      throw new RangeError(`a launch needs ${bytes} bytes of working memory, and ${room} were lent`);
    return use({ linear, shadow: 0, clocks: { nextInterval: 1, nextCopy: 1 }, forget: () => undefined });
  }
}
