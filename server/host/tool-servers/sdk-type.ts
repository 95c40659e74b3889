import type * as sdk from "./sdk";

/** The library as its bundle gives it. */
export type Sdk = typeof sdk;
