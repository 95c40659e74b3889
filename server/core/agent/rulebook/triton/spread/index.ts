import type { Rule } from "../../rule";
import { columnsEach } from "./columns-each";
import { elementsEach } from "./elements-each";
import { fitBlock } from "./fit-block";
import { rowsEach } from "./rows-each";
import { scalarLoop } from "./scalar-loop";
import { turnsAtOnce } from "./turns-at-once";

/** Rules that let one program work on more at once. */
export const spreadRules: readonly Rule[] = [
  rowsEach,
  columnsEach,
  elementsEach,
  scalarLoop,
  turnsAtOnce,
  fitBlock,
];
