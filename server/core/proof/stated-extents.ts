import { parseSizeExpression } from "../workload/size-expression";
import type { SizeNode } from "../workload/size-syntax";
import type { Provenance } from "../workload/spec";
import type { LaunchClass } from "./launch-class";

/** A buffer, or the dynamic shared memory, whose length is not the user's own word. */
export interface UnstatedExtent {
  /** `out[256, blocks]` */
  readonly text: string;
  readonly origin: Exclude<Provenance, "user" | "recorded">;
  /** Its elements are a size rounded up to whole blocks, as what a kernel without a guard touches is. */
  readonly isRoundedUp: boolean;
}

/**
 * Extents that a proof must not rest on silently, by the name of their memory: what is fitted to the accesses
 * of a kernel holds all of them, whatever the kernel does.
 */
export function unstatedExtents({
  spec: { inputs, outputs, origins = {} },
  sharedBytes,
}: LaunchClass): ReadonlyMap<string, UnstatedExtent> {
  const found = new Map<string, UnstatedExtent>();
  const add = (name: string, path: string, extent: Pick<UnstatedExtent, "text" | "isRoundedUp">): void => {
    const origin = origins[path];
    if (origin !== undefined && origin !== "recorded") found.set(name, { ...extent, origin });
  };
  for (const [group, tensors] of Object.entries({ inputs, outputs }))
    for (const [name, { shape }] of Object.entries(tensors))
      add(name, `${group}.${name}.shape`, {
        text: `${name}[${shape.join(", ")}]`,
        isRoundedUp: isRoundedUp(shape.map((size) => `(${size})`).join(" * ")),
      });
  add("dynamic shared memory", "launch.sharedBytes", {
    text: `${sharedBytes} bytes of dynamic shared memory`,
    isRoundedUp: false,
  });
  return found;
}

/** Whether a product is `k * ceil_div(n, d)` with a k that is d or a multiple of it, whatever else it has. */
function isRoundedUp(extent: string): boolean {
  const parsed = parseSizeExpression(extent);
  if (!parsed.ok) return false;
  const factors = factorsOf(parsed.value);
  const times = factors.reduce((product, node) => product * (node.kind === "number" ? node.value : 1), 1);
  return factors.some((node) => {
    const divisor = node.kind === "call" && node.name === "ceil_div" ? node.operands[1] : undefined;
    return divisor?.kind === "number" && divisor.value > 1 && times % divisor.value === 0;
  });
}

function factorsOf(node: SizeNode): readonly SizeNode[] {
  return node.kind === "binary" && node.operator === "*"
    ? [...factorsOf(node.left), ...factorsOf(node.right)]
    : [node];
}
