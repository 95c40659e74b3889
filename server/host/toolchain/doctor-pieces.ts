import pieces from "./doctor-pieces.json";

/**
 * What the product can use, by name, what its absence costs, and how to get it: packages for the Python that
 * the worker runs with.
 */
export function doctorPieces(python: string): typeof pieces {
  return pieces.map((piece) => ({
    ...piece,
    remedy: piece.remedy.replace(/^python3 -m pip\b/, `${/\s/.test(python) ? `"${python}"` : python} -m pip`),
  }));
}
