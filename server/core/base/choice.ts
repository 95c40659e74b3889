/** An entry of a catalogue (export formats, strategies, targets): what a command line or a menu offers. */
export interface Choice {
  /** What the user types and what is recorded: `atif-1.8`, `rulebook`, `vgpu:sm_80`. Never translated. */
  readonly id: string;
  /** What a menu shows: `ATIF 1.8`. */
  readonly title: string;
  /** One or two sentences. */
  readonly description: string;
}
