import type { Parameter } from "./module";
import { PtxSyntaxError, type TokenReader } from "./reader";
import { readDeclared } from "./variables";

/**
 * Reads `( .param .u64 a, .param .align 8 .b8 b[24] )` and lays the parameters out (PTX ISA section 5.1.6).
 * Parameters of device functions may be registers (`.reg`, section 5.1.6.2); those are numbered from
 * `firstRegister`.
 */
export function readParameters(reader: TokenReader, firstRegister = 0): Parameter[] {
  reader.expect("(");
  const parameters: Parameter[] = [];
  let offset = 0;
  let register = firstRegister;
  while (!reader.accept(")")) {
    const { text, line } = reader.next();
    if (text !== ".param" && text !== ".reg")
      throw new PtxSyntaxError(`expected ".param" but found "${text}"`, line);
    const declared = readDeclared(reader);
    offset = Math.ceil(offset / declared.align) * declared.align;
    const { name, type, align, size } = declared;
    parameters.push({
      name,
      type,
      align,
      size,
      offset,
      ...(declared.isPointer ? { isPointer: true } : {}),
      ...(text === ".reg" ? { register } : {}),
    });
    if (text === ".reg") register += 1;
    offset += size;
    if (!reader.accept(",") && reader.peek().text !== ")") reader.expect(")");
  }
  return parameters;
}

/** Reads the rest of `.callprototype (results) _ (parameters) …;` (PTX ISA section 11.3.3). */
export function readPrototype(reader: TokenReader): {
  readonly parameters: readonly Parameter[];
  readonly results: readonly Parameter[];
} {
  const results = reader.peek().text === "(" ? readParameters(reader) : [];
  reader.word("a name or _");
  const parameters = reader.peek().text === "(" ? readParameters(reader) : [];
  reader.skipTo(";");
  return { parameters, results };
}
