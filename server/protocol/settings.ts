/**
 * Settings of the extension, `kernelwright.` in front. package.json must contribute exactly these; a test
 * compares them.
 */
export interface Settings {
  /** `vgpu:sm_80`, `ssh:HOST` … */
  readonly target: string;
  readonly strategy: "rulebook" | "refine";
  readonly "model.endpoint": string;
  readonly "model.name": string;
  readonly "budget.usd": number;
  readonly "budget.minutes": number;
  readonly "budget.candidates": number;
  /** Path of a Python with torch and triton; empty = found by itself. Machine scope. */
  readonly python: string;
  /** Path of nvcc; empty = found by itself. Machine scope. */
  readonly nvcc: string;
  /** Where sessions are kept; empty = the user's data folder. Machine scope. */
  readonly sessionsFolder: string;
}

export const defaultSettings: Settings = {
  target: "vgpu:sm_80",
  strategy: "rulebook",
  "model.endpoint": "",
  "model.name": "",
  "budget.usd": 1,
  "budget.minutes": 10,
  "budget.candidates": 24,
  python: "",
  nvcc: "",
  sessionsFolder: "",
};
