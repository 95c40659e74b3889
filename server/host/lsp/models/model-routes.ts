import type { Routes } from "../handlers/handler";
import { localModels } from "./local-models";
import { servedModels } from "./served-models";
import { tryModel } from "./try-model";

/** Requests about models that could be asked. */
export const modelRoutes = {
  "kernelwright/localModels": localModels,
  "kernelwright/servedModels": servedModels,
  "kernelwright/tryModel": tryModel,
} satisfies Partial<Routes>;
