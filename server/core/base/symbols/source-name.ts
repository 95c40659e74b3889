/**
 * How nvcc begins the name of what a file keeps to itself when its device code is to be linked: the length of
 * the file's own identification.
 */
const ofOneFile = /^__nv_static_(\d{1,4})_/;

/**
 * The name that a variable or function has in its file: without the identification that keeps it apart from
 * others', and without a linker's number.
 */
export function sourceName(symbol: string): string {
  const plain = symbol.replace(/@\d+$/, "");
  const [prefix = "", length = "0"] = ofOneFile.exec(plain) ?? [];
  const end = prefix.length + Number(length);
  return prefix !== "" && plain[end] === "_" && end + 1 < plain.length ? plain.slice(end + 1) : plain;
}
