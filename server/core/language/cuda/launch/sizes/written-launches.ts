import type { Extents } from "../../../../workload/probe/observation";
import { evaluateSizeExpression } from "../../../../workload/size-expression";
import type { SizeExpression } from "../../../../workload/spec";
import type { LaunchSite } from "../../../facts";
import { Leaves, passedNumbers } from "../tied-numbers";
import type { SaidLaunch } from "./said-launch";
import { bare, followed, namesInSize } from "./size-text";

/**
 * Launches of host code whose block is known, and whose grid follows from what the kernel is not passed: the
 * sizes of tensors (`dim3 grid(q.size(0), q.size(1))`).
 */
export function writtenLaunches(
  sites: readonly LaunchSite[],
  parameters: readonly { readonly name: string; readonly pointer: boolean }[],
): readonly SaidLaunch[] {
  return sites.flatMap((site): SaidLaunch[] => {
    const names = new HostNames(site, parameters);
    const block = blockOf(site, names);
    if (block === undefined || site.isInSizes === true) return [];
    const grid = site.grid.map((extent) => names.ofKernel(extent));
    return names.others.size > 0 && names.areSizes ? [{ block, grid }] : [];
  });
}

function blockOf(site: LaunchSite, names: HostNames): Extents | undefined {
  const sides = [0, 1, 2].map((axis) => {
    const value = evaluateSizeExpression(names.followed(site.block[axis] ?? "1") ?? "", {});
    return value.ok ? value.value : Number.NaN;
  });
  const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = sides;
  return site.block.length > 0 && x * y * z > 0 ? [x, y, z] : undefined;
}

/** What names of host code are called in a kernel. */
class HostNames {
  /** Names of numbers that the kernel is not passed. */
  readonly others = new Set<string>();
  /** All of these are sizes of tensors: what else host code names may be a whole grid. */
  areSizes = true;
  private readonly leaves = new Leaves();
  private readonly owners: ReadonlyMap<string, string>;
  /** By what is asked of an object, what host code calls it. */
  private readonly called: ReadonlyMap<string, string>;

  constructor(
    private readonly site: LaunchSite,
    private readonly parameters: readonly { readonly name: string; readonly pointer: boolean }[],
  ) {
    const numbers = parameters.map(({ name, pointer }) => (pointer ? undefined : name));
    this.owners = passedNumbers(site, numbers, this.leaves).owners;
    this.called = new Map(
      Object.entries(site.constants).map(([name, text]) => [bare(this.leaves.inNames(text)), name]),
    );
  }

  followed(text: string): string | undefined {
    const meaningOf = (name: string): string | undefined => this.site.constants[name];
    const found = followed(text, { meaningOf, named: this.leaves.inNames });
    return found === undefined ? undefined : bare(found);
  }

  /** An expression in the kernel's numbers and in others of the host's; undefined where it is none. */
  ofKernel(text: string): SizeExpression | undefined {
    const plain = this.followed(text);
    if (plain === undefined || namesInSize(plain) === undefined) return undefined;
    const value = evaluateSizeExpression(plain, {});
    if (value.ok) return value.value;
    return plain.replace(/\b[A-Za-z_]\w*\b(?!\s*[(:])/g, (word) => this.owners.get(word) ?? this.other(word));
  }

  private other(word: string): string {
    const asked = this.leaves.textOf(word).replace(/\W+/g, "_").replace(/_$/, "");
    const plain = this.called.get(word) ?? asked;
    const isTaken = this.parameters.some(({ name }) => name === plain);
    const name = isTaken ? `${plain}_size` : plain;
    this.others.add(name);
    this.areSizes &&= this.leaves.isExtent(word);
    return name;
  }
}
