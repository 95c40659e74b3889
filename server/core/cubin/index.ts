export { ByLine } from "./by-line";
export type { CubinProblem } from "./byte-reader";
export type { Cubin, CubinKernel, FunctionCode, InstructionMix, LineCode, Spills } from "./cubin";
export type { KernelParameter } from "./kernel-info";
export { type InstructionClass, instructionClasses } from "./opcode-table";
export { type KernelMachineCode, type PlacedInstruction, readMachineCode } from "./kernel-code";
export { readCubin } from "./read-cubin";
export type { CodeBlock } from "./schedule/flow";
export { compiledFacts, type StaticFacts, staticFacts, type StaticLineFacts } from "./static-facts";
