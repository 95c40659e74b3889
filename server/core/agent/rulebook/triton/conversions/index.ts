import type { Rule } from "../../rule";
import { keepTables } from "../tables/keep-tables";
import { readInPlace } from "../views/read-in-place";
import { convertInRegisters } from "./convert-in-registers";

/** Rules that leave out what the host does around a launch: copies, and tables that it had made before. */
export const copyRules: readonly Rule[] = [convertInRegisters, readInPlace, keepTables];
