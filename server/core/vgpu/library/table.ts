import { asyncLibrary } from "./async";
import { callLibrary } from "./calls";
import { collectiveLibrary } from "./collective";
import { countingLibrary } from "./counting";
import { directedLibrary } from "./directed";
import { floatLibrary } from "./floats";
import { halfLibrary } from "./halves";
import { integerLibrary } from "./integers";
import type { LibraryTable } from "./library";
import { matrixLibrary } from "./matrix";
import { sparseLibrary } from "./matrix-sparse";
import { memoryLibrary } from "./memory";
import { reuseLibrary } from "./reuse";
import { detectorLibrary } from "./race-table";
import { warpLibrary } from "./warp";

/** Every function that generated code may call. */
export const library: LibraryTable = {
  ...memoryLibrary,
  ...integerLibrary,
  ...floatLibrary,
  ...directedLibrary,
  ...halfLibrary,
  ...warpLibrary,
  ...collectiveLibrary,
  ...matrixLibrary,
  ...sparseLibrary,
  ...asyncLibrary,
  ...countingLibrary,
  ...detectorLibrary,
  ...reuseLibrary,
  ...callLibrary,
};
