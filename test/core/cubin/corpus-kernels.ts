/** One kernel of the corpus. */
export interface Kernel {
  readonly name: string;
  readonly text: string;
}

/** Declares the thread's element. */
export const index = "  int i = blockIdx.x * blockDim.x + threadIdx.x;";

/** `out[i] = expression of a[i], b[i]` with a loop-free body; the widest table of the corpus. */
export function elementwise(name: string, type: string, expression: string): Kernel {
  return {
    name,
    text: [
      `__global__ void ${name}(const ${type}* a, const ${type}* b, ${type}* out, int n) {`,
      index,
      "  if (i >= n) return;",
      `  ${type} x = a[i];`,
      `  ${type} y = b[i];`,
      `  out[i] = ${expression};`,
      "}",
    ].join("\n"),
  };
}

/** A kernel of a given body; the parameters are always the same three pointers and a count. */
export function custom(name: string, body: readonly string[], prefix = "__global__ void"): Kernel {
  return {
    name,
    text: [
      `${prefix} ${name}(float* f, int* p, double* d, int n) {`,
      index,
      ...body.map((line) => `  ${line}`),
      "}",
    ].join("\n"),
  };
}

/** One elementwise kernel for each expression. */
export function table(prefix: string, type: string, expressions: readonly string[]): Kernel[] {
  return expressions.map((expression, position) => elementwise(`${prefix}_${position}`, type, expression));
}
