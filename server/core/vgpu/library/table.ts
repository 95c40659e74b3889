import { floatLibrary } from "./floats";
import { integerLibrary } from "./integers";
import type { LibraryTable } from "./library";
import { memoryLibrary } from "./memory";
import { warpLibrary } from "./warp";

/** Every function that generated code may call. */
export const library: LibraryTable = { ...memoryLibrary, ...integerLibrary, ...floatLibrary, ...warpLibrary };
