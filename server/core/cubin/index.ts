export { ByLine } from "./by-line";
export type { CubinProblem } from "./byte-reader";
export type { Cubin, CubinKernel, FunctionCode } from "./cubin";
export { instructionClasses } from "./opcode-table";
export { type KernelMachineCode, type PlacedInstruction, readMachineCode } from "./kernel-code";
export { readCubin } from "./read-cubin";
export type { CodeBlock } from "./schedule/flow";
export type { ControlCode } from "./schedule/control-code";
export { staticFacts } from "./static-facts";
