import type { ElementType } from "../../../../../core/workload/probe/observation";
import type { DataType, SizeExpression } from "../../../../../core/workload/spec";

/** What a pointer is probed as whose elements are of a type that is not known. */
export const untyped: ElementType = { dtype: "float32", width: 1 };

/** What a kernel is passed for a parameter. */
export type PlannedArgument =
  | {
      readonly kind: "buffer";
      readonly name: string;
      readonly type: ElementType;
      readonly isConst: boolean;
      /** Bytes from row to row, where that is known. */
      readonly pitch?: number;
      /** The size that all of its elements are: a count that lies in the device's memory. */
      readonly holds?: string;
      /** What its elements are in turn, where the text tells. */
      readonly values?: readonly number[];
      /** What lies in each of its elements, where those are structures of several types. */
      readonly record?: PlannedRecord;
    }
  /** A whole number that is varied: it may be a size. */
  | { readonly kind: "size"; readonly name: string; readonly dtype: DataType }
  /**
   * A number that is not varied; `isFixed`: since no launch was found with it as a size. `end`: the end of
   * the range that begins there.
   */
  | {
      readonly kind: "value";
      readonly name: string;
      readonly dtype: DataType;
      readonly value: number;
      readonly isFixed?: boolean;
      readonly end?: string;
      /**
       * Nobody tells it; `called`: what its name says it is; `apart`: another one than all others; `chosen`:
       * one of those that the code asks for.
       */
      readonly isMadeUp?: true | "called" | "apart" | "chosen";
      /** What it is for given sizes, where it depends on them. */
      readonly of?: SizeExpression;
    };

/** A structure of numbers; `value`: of those that are not what the array is taken to hold. */
export interface PlannedRecord {
  readonly byteLength: number;
  readonly fields: readonly PlannedField[];
}

export interface PlannedField {
  readonly at: number;
  readonly member: string;
  readonly dtype: DataType;
  readonly value?: number;
  /** What a number that nobody tells is for given sizes, where it depends on them. */
  readonly of?: SizeExpression;
}
