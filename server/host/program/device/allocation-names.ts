/**
 * What an allocation of the program is called in messages: `buffer 3`, and `allocation 3` when the program
 * gives no name.
 */
export function numberedName(name: string, number: number): string {
  return `${name === "" ? "allocation" : name} ${number}`;
}

/** A name without its running number: what a loop allocates over and over has one such name. */
export function unnumberedName(name: string): string {
  return name.replace(/ \d+$/, "");
}

/**
 * A message without the running numbers of the allocations that it names, and without addresses of memory.
 */
export function unnumberedMessage(message: string): string {
  return message.replace(/ \d+"/g, '"').replace(/0x[0-9a-f]{9,}/g, "0x");
}

/**
 * Whether memory of that name is the host's, which kernels reach over the link: by the runtime's names for
 * what cudaHostAlloc and cudaHostRegister give. Managed memory moves to where it is used.
 */
export function isOfHost(name: string): boolean {
  return /^(?:pinned|registered) memory$/.test(name);
}
