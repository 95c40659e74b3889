import { type Outcome, fail, succeed } from "../../base/outcome";
import { invariant } from "../../base/assert";
import type { Instruction } from "../ptx/module";
import { type PtxType, findType } from "../ptx/types";
import { type Family, type Traits, traitsOf } from "./families";
import type { Modifiers } from "./modifiers";
import table from "./table.json";

/** Slots of the opcode table that hold types. */
type TypeSlot =
  | "type"
  | "to"
  | "from"
  | "d"
  | "a"
  | "b"
  | "c"
  | "result"
  | "sign"
  | "first"
  | "second"
  | "rest"
  | "coordinates";

export type InstructionTypes = Readonly<Partial<Record<TypeSlot, PtxType>>>;

/** How an instruction works with the condition code, which is its last operand (PTX ISA section 9.7.2). */
interface Carry {
  readonly does: "add" | "subtract" | "multiply-add";
  /** It takes the carry in, whether it gives one out or not. */
  readonly takes: boolean;
}

/** An instruction that the table knows: which emitter family it belongs to and the modifiers by name. */
export interface Matched {
  readonly instruction: Instruction;
  readonly family: Family;
  /** What holds for all instructions of the family. */
  readonly traits: Traits;
  readonly modifiers: Modifiers;
  /** The modifiers that are types. */
  readonly types: InstructionTypes;
  readonly carry: Carry | undefined;
}

/** A type that all instructions of a family name. */
export function typeOf({ matched }: { readonly matched: Matched }, slot: TypeSlot = "type"): PtxType {
  const type = matched.types[slot];
  invariant(type, "an instruction has the types that its family works on");
  return type;
}

/** Something that the virtual GPU does not implement. `reason` always begins with `refused: `. */
export interface Refusal {
  readonly reason: string;
  readonly file?: string;
  readonly line?: number;
}

interface Slot {
  readonly name: string;
  readonly optional: boolean;
  readonly words: ReadonlySet<string>;
}

interface Form {
  readonly family: Family;
  readonly slots: readonly Slot[];
  /** The assembler takes the modifiers in any order. */
  readonly unordered: boolean;
  readonly carry: Carry | undefined;
}

/**
 * Reads the data file. A form is a list of slots in the order in which the manual lists them, each
 * `NAME:word|word` or, when it may be left out, `NAME?:word|word`. An instruction fits when every modifier
 * finds its slot in order, or in any order where the form says `unordered`.
 */
function readTable(): ReadonlyMap<string, readonly Form[]> {
  const entries = Object.entries(
    table.opcodes as Record<
      string,
      readonly {
        readonly family: string;
        readonly form: readonly string[];
        readonly unordered?: boolean;
        readonly carry?: Carry;
      }[]
    >,
  );
  return new Map(
    entries.map(([opcode, forms]) => [
      opcode,
      forms.map(({ family, form, unordered = false, carry }) => ({
        family: familyNamed(family),
        slots: form.map(readSlot),
        unordered,
        carry,
      })),
    ]),
  );
}

function familyNamed(name: string): Family {
  invariant(name in traitsOf, `the family ${name} stands under "families" of table.json`);
  return name as Family;
}

function readSlot(text: string): Slot {
  const colon = text.indexOf(":");
  const head = text.slice(0, colon);
  const optional = head.endsWith("?");
  return {
    name: optional ? head.slice(0, -1) : head,
    optional,
    words: new Set(text.slice(colon + 1).split("|")),
  };
}

const forms = readTable();

/** Full name as written, for messages: `ld.global.f32`. */
export function fullName(instruction: Instruction): string {
  return [instruction.opcode, ...instruction.modifiers].join(".");
}

interface Found {
  readonly opcode: string;
  readonly form: Omit<Matched, "instruction">;
}

/**
 * By the modifiers, which instructions of the same name share: a kernel has thousands of instructions and a
 * few dozen names.
 */
const known = new WeakMap<readonly string[], Found>();

/** Finds the form of an instruction; an unknown opcode, type or modifier is refused by its full name. */
export function matchInstruction(instruction: Instruction): Outcome<Matched, Refusal> {
  const { opcode, modifiers: words } = instruction;
  const before = known.get(words);
  if (before?.opcode === opcode) return succeed(matchedBy(before.form, instruction));
  for (const form of forms.get(opcode) ?? []) {
    const modifiers = (form.unordered ? matchUnordered : matchForm)(form, words);
    if (!modifiers) continue;
    const { family, carry } = form;
    const found = {
      family,
      traits: traitsOf[family],
      modifiers: modifiers as Modifiers,
      types: typesIn(modifiers),
      carry,
    };
    known.set(words, { opcode, form: found });
    return succeed(matchedBy(found, instruction));
  }
  return fail({ reason: `refused: ${fullName(instruction)}` });
}

/** Field by field, as thousands of instructions take this way and a spread costs three times as much. */
function matchedBy(
  { family, traits, modifiers, types, carry }: Found["form"],
  instruction: Instruction,
): Matched {
  return { instruction, family, traits, modifiers, types, carry };
}

function typesIn(modifiers: Readonly<Record<string, string>>): InstructionTypes {
  return Object.fromEntries(
    Object.entries(modifiers).flatMap(([slot, word]) => {
      const type = findType(word);
      return type ? [[slot, type]] : [];
    }),
  );
}

function matchForm(form: Form, words: readonly string[]): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  let at = 0;
  for (const slot of form.slots) {
    const word = words[at];
    if (word !== undefined && slot.words.has(word)) {
      found[slot.name] = word;
      at += 1;
    } else if (!slot.optional) return undefined;
  }
  return at === words.length ? found : undefined;
}

function matchUnordered(form: Form, words: readonly string[]): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const word of words) {
    const slot = form.slots.find(({ name, words: known }) => known.has(word) && found[name] === undefined);
    if (!slot) return undefined;
    found[slot.name] = word;
  }
  return form.slots.every(({ name, optional }) => optional || found[name] !== undefined) ? found : undefined;
}

/** All forms as data, for the conformance suite. */
export function listForms(): {
  readonly opcode: string;
  readonly family: Family;
  readonly slots: readonly Slot[];
}[] {
  return [...forms].flatMap(([opcode, list]) => list.map((form) => ({ opcode, ...form })));
}
