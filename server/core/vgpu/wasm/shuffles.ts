/** Byte orders for `shuffle` of two vectors, the second of which counts from 16. */

/** The even and the odd ones of eight 32-bit words: low and high halves of four 64-bit lanes. */
export const evenWords = Uint8Array.of(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
export const oddWords = Uint8Array.of(4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);

/** Words of two vectors in turn: those of the low, or of the high halves. */
export const zippedWords = {
  low: Uint8Array.of(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23),
  high: Uint8Array.of(8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31),
} as const;

/** The first, or the second, 64-bit lanes of both vectors. */
export const firstLongs = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
export const secondLongs = Uint8Array.of(8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);

/** The second 64-bit lane of one vector twice. */
export const upperLong = Uint8Array.of(8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);

/** Both 64-bit lanes of one vector exchanged; neighbouring words of one vector exchanged. */
export const swappedLongs = Uint8Array.of(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
export const swappedWords = Uint8Array.of(4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);

/** The last three words of a vector and the first one of the next, which may be itself. */
export const followingWords = Uint8Array.of(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
