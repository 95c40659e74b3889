import { staticLayout } from "../layout";
import { exactSumBytes } from "../library/warp/atomics";

/** A vector of equal lanes in the static area: bits, or the address of a module variable known at launch. */
export interface StaticConstant {
  readonly at: number;
  readonly wide: boolean;
  readonly bits: bigint;
  readonly symbol?: string;
}

/** Constants and parameters in the static area. */
export class StaticArea {
  readonly constants: StaticConstant[] = [];
  readonly parametersAt = staticLayout.end;
  private readonly known = new Map<string, number>();
  end: number;

  constructor(parameterBytes: number) {
    this.end = Math.ceil((this.parametersAt + parameterBytes + 16) / 16) * 16;
  }

  /** The place of a constant, which stands there once for each key. */
  add(key: string, constant: Omit<StaticConstant, "at">): number {
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const at = this.end;
    this.known.set(key, at);
    this.constants.push({ ...constant, at });
    this.end += constant.wide ? 256 : 128;
    return at;
  }

  /** Room for the sums that the code keeps without rounding. */
  reserveSums(): number {
    const at = this.end;
    this.end += exactSumBytes;
    return at;
  }
}
