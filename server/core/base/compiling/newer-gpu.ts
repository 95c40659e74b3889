/** What compilers say of code for a newer GPU, and the first one that has it where they name none. */
const complaints: readonly { readonly says: RegExp; readonly first: string }[] = [
  { says: /requires \.target (sm_\d+)/, first: "" },
  {
    says: /Instruction '(?:wgmma|setmaxnreg)\b[^']*' (?:not supported on|cannot be compiled for)/,
    first: "sm_90",
  },
  { says: /__cluster_dims__ is not supported for this GPU architecture/, first: "sm_90" },
  { says: /namespace "cooperative_groups" has no member "(?:this_cluster|cluster_group)"/, first: "sm_90" },
];

/** The first GPU that has what a compiler refuses to compile for an older one: `sm_89`; else undefined. */
export function newerGpu(said: string): string | undefined {
  for (const { says, first } of complaints) {
    const found = says.exec(said);
    if (found !== null) return found[1] ?? first;
  }
  return undefined;
}
