export { type CodeForm, codeForms } from "./code-forms";
export { type Listing, listRows } from "./listing";
export { machineRows } from "./machine-rows";
export { ptxRows } from "./ptx-rows";
export { type CodeRow, isSameFile, lineIn, type LineRange, type Place } from "./row";
export { tritonRows } from "./triton-rows";
