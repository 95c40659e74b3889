import type { Instruction } from "./module";

/** Opcodes whose operands may be parts of registers. */
const video = /^v(?:add|sub|absdiff|min|max|avrg|shl|shr|set|mad)[24]?$/;

type Name = Pick<Instruction, "opcode" | "modifiers"> & { readonly isVideo: boolean };

/**
 * The names of a module's instructions in parts. Instructions of the same name share them, so that what is
 * found out about a name is found out once.
 */
export class InstructionNames {
  private readonly known = new Map<string, Name>();

  /** Splits `ld.global.f32` into its opcode and its modifiers. */
  of(word: string): Name {
    const known = this.known.get(word);
    if (known) return known;
    const [opcode = "", ...modifiers] = word.split(/\.|(?=::)/);
    const name = {
      opcode,
      modifiers: inHalves(opcode, joinQualified(modifiers)),
      isVideo: video.test(opcode),
    };
    this.known.set(word, name);
    return name;
  }
}

/**
 * A register of 128 bits (PTX ISA section 5.2.1) is two of 64, and an instruction that moves one moves a
 * vector of them.
 */
function inHalves(opcode: string, modifiers: readonly string[]): readonly string[] {
  return movers.has(opcode)
    ? modifiers.flatMap((word) => (word === "b128" ? ["v2", "b64"] : [word]))
    : modifiers;
}

const movers: ReadonlySet<string> = new Set(["mov", "ld", "st"]);

/** Puts `shared` and `::cta` together again, so that one modifier is one word. */
function joinQualified(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    if (part.startsWith("::") && joined.length > 0) joined[joined.length - 1] += part;
    else joined.push(part);
  }
  return joined;
}
