import type { Instruction, Operand, PtxFunction, Statement, Variable } from "../ptx/module";

/** What becomes of one module's names and places in the whole. */
export interface Renaming {
  /** The whole's name for a function or variable of the module. */
  nameOf(symbol: string): string;
  /** The whole's name for a variable in shared memory that a function declares. */
  sharedNameOf(symbol: string): string;
  /** Added to the number of each location. */
  readonly firstLocation: number;
  /** Takes each name of a function or variable that code or an initial value mentions. */
  readonly mentioned: (symbol: string) => void;
}

/**
 * A function under its name in the whole. Names that it declares itself (PTX ISA section 5.4) hide those of
 * its module.
 */
export function renameFunction(body: PtxFunction, name: string, renaming: Renaming): PtxFunction {
  const own = ownNames(body, renaming);
  const nameOf = (symbol: string): string => {
    const local = own.get(symbol);
    if (local !== undefined) return local;
    const renamed = renaming.nameOf(symbol);
    renaming.mentioned(renamed);
    return renamed;
  };
  return {
    ...body,
    name,
    statements: body.statements.map((statement) =>
      renameStatement(statement, nameOf, renaming.firstLocation),
    ),
    variables: body.variables.map((variable) => ({
      ...variable,
      name: own.get(variable.name) ?? variable.name,
    })),
  };
}

/** A variable under its name in the whole, whose addresses of others are those of the whole. */
export function renameVariable(variable: Variable, name: string, renaming: Renaming): Variable {
  const references = variable.references.map((reference) => {
    const symbol = renaming.nameOf(reference.symbol);
    renaming.mentioned(symbol);
    return { ...reference, symbol };
  });
  return { ...variable, name, references };
}

function ownNames(body: PtxFunction, renaming: Renaming): ReadonlyMap<string, string> {
  const own = new Map<string, string>();
  for (const { name } of [...body.parameters, ...body.results]) own.set(name, name);
  for (const statement of body.statements)
    if (statement.kind !== "instruction")
      own.set(statement.name, statement.kind === "label" ? labelOf(statement.name) : statement.name);
  for (const { name, space } of body.variables)
    own.set(name, space === "shared" ? renaming.sharedNameOf(name) : name);
  return own;
}

/**
 * A label of an author's own (compilers begin theirs with $) may be called like a variable of another module.
 */
function labelOf(name: string): string {
  return name.startsWith("$") ? name : `${name}@label`;
}

type NameOf = (symbol: string) => string;

function renameStatement(statement: Statement, nameOf: NameOf, firstLocation: number): Statement {
  if (statement.kind === "targets") return { ...statement, labels: statement.labels.map(nameOf) };
  if (statement.kind === "label") return { kind: "label", name: nameOf(statement.name) };
  if (statement.kind === "prototype") return statement;
  return {
    kind: "instruction",
    instruction: renameInstruction(statement.instruction, nameOf, firstLocation),
  };
}

function renameInstruction(instruction: Instruction, nameOf: NameOf, firstLocation: number): Instruction {
  const operands = renameAll(instruction.operands, nameOf);
  const location = instruction.location < 0 ? instruction.location : instruction.location + firstLocation;
  return operands === instruction.operands && location === instruction.location
    ? instruction
    : { ...instruction, operands, location };
}

/** The list itself when nothing in it changes, as in most instructions. */
function renameAll(operands: readonly Operand[], nameOf: NameOf): readonly Operand[] {
  const renamed = operands.map((operand) => renameOperand(operand, nameOf));
  return renamed.every((operand, index) => operand === operands[index]) ? operands : renamed;
}

function renameOperand(operand: Operand, nameOf: NameOf): Operand {
  switch (operand.kind) {
    case "symbol": {
      const name = nameOf(operand.name);
      return name === operand.name ? operand : { ...operand, name };
    }
    case "address": {
      const base = renameOperand(operand.base, nameOf);
      return base === operand.base ? operand : { ...operand, base };
    }
    case "vector":
    case "list": {
      const elements = renameAll(operand.elements, nameOf);
      return elements === operand.elements ? operand : { ...operand, elements };
    }
    case "pair":
      return {
        kind: "pair",
        first: renameOperand(operand.first, nameOf),
        second: renameOperand(operand.second, nameOf),
      };
    default:
      return operand;
  }
}
