/** A number that was seen under some values of the sizes. */
export interface Sample {
  readonly sizes: Readonly<Record<string, number>>;
  readonly value: number;
}
