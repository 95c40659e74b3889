export { type CodeForm, codeForms } from "./code-forms";
export { listRows } from "./listing";
export { machineRows } from "./machine-rows";
export { ptxRows } from "./ptx-rows";
export { type CodeRow, isSameFile, lineIn, type LineRange } from "./row";
export { tritonRows } from "./triton-rows";
