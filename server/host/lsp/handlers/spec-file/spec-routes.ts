import type { Routes } from "../handler";
import { moveSpecs } from "./move-specs";
import { preview } from "./preview";

/** The requests about spec files, in the protocol's order. */
export const specRoutes = {
  "kernelwright/preview": preview,
  "kernelwright/moveSpecs": moveSpecs,
} satisfies Partial<Routes>;
