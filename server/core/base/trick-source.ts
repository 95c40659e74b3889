const prefix = "trick ";

/** What a diagnostic of a rule of the scan for known tricks names as its source. */
export function trickSource(rule: string): string {
  return `${prefix}${rule}`;
}

/** Whether a diagnostic comes from that scan. */
export function isTrick({ source }: { readonly source: string }): boolean {
  return source.startsWith(prefix);
}
