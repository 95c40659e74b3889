import type { SyntaxNode } from "../../../../language/tree";
import type { TritonKernel } from "../../../../language/triton/kernels";
import type { TritonLaunch } from "../../../../language/triton/launches";
import type { Pointwise } from "./pointwise";

/** A kernel that takes over the work of a pointwise one that is launched before or after it. */
export interface Taker {
  readonly kernel: TritonKernel;
  readonly launch: TritonLaunch;
  readonly passed: ReadonlyMap<string, SyntaxNode>;
}

/** What two launches have between them. */
export interface Joint {
  readonly taker: Taker;
  readonly pointwise: Pointwise;
  /** The tensor that is passed on, and what the taker calls it. */
  readonly tensor: string;
  readonly parameter: string;
  /** Whether the pointwise kernel comes first. */
  readonly before: boolean;
  /** Whether others read the tensor as well, so that it is stored all the same. */
  readonly kept: boolean;
}
