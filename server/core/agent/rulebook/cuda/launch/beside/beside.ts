/** How blocks become threads of one block. */
export interface Beside {
  /** Threads of a block as it is. */
  readonly threads: number;
  /** Threads that share a column from then on. */
  readonly rows: number;
  /** Columns of a block. */
  readonly wide: number;
  /** True where the threads of a column work together as warps of as many as share a warp. */
  readonly isCut: boolean;
  /** True where x is the lane and y the warp. */
  readonly isPlane: boolean;
  /** Name of the column, and of how many there are. */
  readonly column: string;
  readonly columns: string;
}
