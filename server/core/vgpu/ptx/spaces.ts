/** A state space as an instruction names it: `shared` and `shared::cta` are the same without clusters. */
export function isSharedSpace(space: string | undefined): boolean {
  return space === "shared" || space === "shared::cta";
}

/** `param`, or one of its halves: the kernel's parameters and those of functions (PTX ISA section 5.1.6). */
export function isParameterSpace(space: string | undefined): boolean {
  return space === "param" || space === "param::entry" || space === "param::func";
}
