import { type Allocation, allTouched, type TouchedAllocations } from "../../../../core/vgpu/index";

/** What launches of each kind have touched so far. */
export class KnownTouches {
  private readonly seen = new Map<string, TouchedAllocations | undefined>();

  /** `most`: allocations above which what a kind touched before is forgotten. */
  constructor(private readonly most: number) {}

  /** Whether there was such a launch. */
  has(key: string): boolean {
    return this.seen.has(key);
  }

  /** Undefined where that is not known: it may be anything. */
  of(key: string): TouchedAllocations | undefined {
    return this.seen.get(key);
  }

  learn(key: string, touched: TouchedAllocations | undefined): void {
    const all = this.seen.has(key) ? allTouched([touched, this.seen.get(key)]) : touched;
    const isShort = all !== undefined && all.read.size + all.written.size <= this.most;
    this.seen.set(key, isShort ? all : touched);
  }
}

/** Those of all allocations that make a difference to a launch that touches such. */
export function concerned(
  all: readonly Allocation[],
  touched: TouchedAllocations | undefined,
): readonly Allocation[] {
  return touched ? all.filter(({ address }) => isIn(touched, address)) : all;
}

/** Whether a launch has touched nothing but what is known. */
export function isWithin(
  touched: TouchedAllocations | undefined,
  known: TouchedAllocations | undefined,
): boolean {
  if (!known) return true;
  return touched !== undefined && [...touched.read, ...touched.written].every((each) => isIn(known, each));
}

function isIn({ read, written }: TouchedAllocations, address: bigint): boolean {
  return read.has(address) || written.has(address);
}
