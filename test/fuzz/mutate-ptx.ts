import { listForms } from "../../server/core/vgpu/opcodes/table";
import type { Random } from "./random";

const forms = listForms();
const words = [...new Set(forms.flatMap(({ slots }) => slots.flatMap((slot) => [...slot.words])))];
const numbers = [
  "0",
  "1",
  "-1",
  "2",
  "3",
  "4",
  "7",
  "8",
  "16",
  "31",
  "32",
  "33",
  "63",
  "64",
  "127",
  "128",
  "255",
  "256",
  "1023",
  "65535",
  "65536",
  "2147483647",
  "-2147483648",
  "4294967295",
  "4000000000",
  "9223372036854775807",
  "18446744073709551615",
  "99999999999999999999",
  "0x7f800000",
  "0f7FC00000",
  "0fFF800000",
  "0d7FF8000000000000",
  "0f00000001",
  "0d0000000000000001",
];
const statements = [
  "ret;",
  "exit;",
  "trap;",
  "bar.sync 0;",
  "bar.sync %r1, 64;",
  "@%p1 ret;",
  "membar.gl;",
  "activemask.b32 %r1;",
  "alloca.u64 %rd1, %rd2, 16;",
  "stacksave.u64 %rd3;",
  "stackrestore.u64 %rd3;",
  ".reg .b32 %new<4000000000>;",
  ".local .b8 huge[4000000000];",
  ".shared .align 8 .b8 wide[99999];",
  ".loc 1 4294967295 1",
  "shfl.sync.idx.b32 %r1, %r2, %r3, 31, -1;",
  "{",
  "}",
  "bra $L__BB0_1;",
  "atom.global.add.u32 %r1, [%rd1], %r2;",
  "ld.local.u32 %r1, [%rd1];",
  "st.shared.u32 [%r1], %r2;",
  "mov.u64 %rd1, %rd2;",
  "cvta.local.u64 %rd1, %rd2;",
  "ld.u32 %r1, [%rd1];",
  "st.v4.u32 [%rd1+16], {%r1, %r2, %r3, %r4};",
];
const marks = [...'{}[]();,:.%@!-+0x9fr_ "$<>|\\\u0000'];

type Change = (lines: string[], random: Random, donors: readonly string[]) => void;

/** Applies `edit` to one line. */
function onLine(lines: string[], random: Random, edit: (line: string) => string): void {
  const index = random.below(lines.length);
  lines[index] = edit(lines[index] ?? "");
}

/** Replaces one of the matches of a pattern. */
function replaceOne(line: string, pattern: RegExp, random: Random, by: (found: string) => string): string {
  const found = [...line.matchAll(pattern)];
  const chosen = random.pick(found);
  return chosen
    ? line.slice(0, chosen.index) + by(chosen[0]) + line.slice(chosen.index + chosen[0].length)
    : line;
}

const register = /%[a-zA-Z]+\d+/g;

const changes: readonly Change[] = [
  (lines, random) => void lines.splice(random.below(lines.length), 1 + random.below(3)),
  (lines, random) =>
    void lines.splice(random.below(lines.length), 0, lines[random.below(lines.length)] ?? ""),
  (lines, random) => {
    const [a, b] = [random.below(lines.length), random.below(lines.length)];
    [lines[a], lines[b]] = [lines[b] ?? "", lines[a] ?? ""];
  },
  (lines, random) => void lines.splice(random.below(lines.length), 0, random.pick(statements) ?? ""),
  // A number becomes an interesting one; a register another; a modifier another that the opcode table knows.
  (lines, random) =>
    onLine(lines, random, (line) =>
      replaceOne(line, /(?<![\w.%$])-?\d+\b/g, random, () => random.pick(numbers) ?? "0"),
    ),
  (lines, random) =>
    onLine(lines, random, (line) =>
      replaceOne(line, register, random, (found) => found.replace(/\d+$/, String(random.below(40)))),
    ),
  (lines, random) =>
    onLine(lines, random, (line) =>
      replaceOne(
        line,
        register,
        random,
        () => `%${random.pick(["r", "rd", "f", "fd", "p", "rs", "h"]) ?? "r"}${random.below(20)}`,
      ),
    ),
  (lines, random) =>
    onLine(lines, random, (line) =>
      replaceOne(line, /\.[a-z]\w*/g, random, () => `.${random.pick(words) ?? "u32"}`),
    ),
  // An instruction becomes another one, with the same operands.
  (lines, random) =>
    onLine(lines, random, (line) =>
      line.replace(/^(\s*(?:@!?%p\d+\s+)?)[a-z][\w.:]*/, (_, before: string) => {
        const form = random.pick(forms);
        const parts =
          form?.slots.flatMap(({ optional, words: choices }) =>
            optional && random.once(2) ? [] : [random.pick([...choices]) ?? ""],
          ) ?? [];
        return before + [form?.opcode ?? "mov", ...parts].join(".");
      }),
    ),
  // An operand goes, comes twice, or is bracketed.
  (lines, random) =>
    onLine(lines, random, (line) =>
      replaceOne(
        line,
        /,\s*[^,;]+/g,
        random,
        (found) => random.pick(["", found + found, ` [${found.slice(1)}]`, ", _", ", {%r1, %r2}"]) ?? "",
      ),
    ),
  // A guard, a label, a symbol.
  (lines, random) =>
    onLine(lines, random, (line) =>
      line.replace(/^\s*(?=[a-z])/, `@${random.once(2) ? "!" : ""}%p${random.below(6)} `),
    ),
  (lines, random) => {
    const labels = [...lines.join("\n").matchAll(/\$L_\w+|\b_Z\w+/g)].map(([name]) => name);
    onLine(lines, random, (line) =>
      replaceOne(line, /\$L_\w+|\b_Z\w+/g, random, () => random.pick(labels) ?? ""),
    );
  },
  // Lines of another module.
  (lines, random, donors) => {
    const other = (random.pick(donors) ?? "").split("\n");
    const from = random.below(other.length);
    lines.splice(random.below(lines.length), 0, ...other.slice(from, from + 1 + random.below(12)));
  },
  (lines, random) =>
    onLine(lines, random, (line) => {
      const at = random.below(line.length + 1);
      return line.slice(0, at) + (random.pick(marks) ?? "") + line.slice(at + random.below(2));
    }),
  (lines, random) => void (random.once(8) && lines.splice(random.below(lines.length))),
];

/**
 * One to six changes of a module's text that mostly leave it PTX: what follows from the seed of `random`
 * alone.
 */
export function mutatePtx(texts: readonly string[], random: Random): string {
  const lines = (random.pick(texts) ?? "").split("\n");
  for (let left = 1 + random.below(random.once(3) ? 6 : 2); left > 0; left -= 1)
    random.pick(changes)?.(lines, random, texts);
  return lines.join("\n");
}
