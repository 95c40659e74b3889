/**
 * What the virtual GPU can stand for: an architecture and the GPU whose limits and peaks are modelled for it.
 * A test holds this to the table of GPUs.
 */
export const virtualTargets: readonly { readonly target: string; readonly gpu: string }[] = [
  { target: "vgpu:sm_75", gpu: "T4" },
  { target: "vgpu:sm_80", gpu: "A100 40GB SXM" },
  { target: "vgpu:sm_86", gpu: "A10" },
  { target: "vgpu:sm_87", gpu: "Jetson AGX Orin 64GB" },
  { target: "vgpu:sm_89", gpu: "RTX 4090" },
  { target: "vgpu:sm_90", gpu: "H100 SXM" },
  { target: "vgpu:sm_100", gpu: "B200" },
  { target: "vgpu:sm_103", gpu: "B300" },
  { target: "vgpu:sm_120", gpu: "RTX 5090" },
  { target: "vgpu:sm_121", gpu: "GB10" },
];
