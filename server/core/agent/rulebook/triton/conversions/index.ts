import type { Rule } from "../../rule";
import { readInPlace } from "../views/read-in-place";
import { convertInRegisters } from "./convert-in-registers";

/** Rules that leave out copies which the host makes around a launch. */
export const copyRules: readonly Rule[] = [convertInRegisters, readInPlace];
