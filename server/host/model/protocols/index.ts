import type { ModelSettings } from "../model-settings";
import { chat } from "./chat";
import type { Protocol } from "./protocol";
import { responses } from "./responses";

/** By the name that settings have for them. */
export const protocols: Readonly<Record<ModelSettings["api"], Protocol>> = { chat, responses };
