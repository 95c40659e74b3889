/** Words of a name in small letters: `rowStart`, `row_start` and `ROW_START` have the same. */
export function nameWords(name: string): readonly string[] {
  const split = name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
  return split.filter((word) => word !== "");
}
