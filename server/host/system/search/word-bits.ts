/** Words that are told apart; of more the one asked for longest ago is forgotten. */
const mostWords = 8;

/** A bit for each of the words that were asked for last. */
export class WordBits {
  /** The one asked for longest ago first. */
  private readonly bits = new Map<string, number>();

  /** `forget`: is told a bit before it stands for another word. */
  constructor(private readonly forget: (bit: number) => void) {}

  bitOf(word: string): number {
    const bit = this.bits.get(word) ?? this.free();
    this.bits.delete(word);
    this.bits.set(word, bit);
    return bit;
  }

  private free(): number {
    const [oldest] = this.bits;
    if (this.bits.size < mostWords || oldest === undefined) return 1 << this.bits.size;
    const [word, bit] = oldest;
    this.bits.delete(word);
    this.forget(bit);
    return bit;
  }
}
