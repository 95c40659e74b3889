/** Shared memory of the own block: `shared` stands for `shared::cta` (PTX ISA section 5.1.8). */
export function isSharedSpace(space: string | undefined): boolean {
  return space === "shared" || space === "shared::cta";
}

/** `param`, or one of its halves: the kernel's parameters and those of functions (PTX ISA section 5.1.6). */
export function isParameterSpace(space: string | undefined): boolean {
  return space === "param" || space === "param::entry" || space === "param::func";
}

/** Shared memory of any block of the cluster (PTX ISA section 5.1.8). */
export function isClusterSpace(space: string | undefined): boolean {
  return space === "shared::cluster";
}
