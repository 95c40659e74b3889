import type { CudaLaunch } from "../../../../language/cuda/launches";
import { collapse, fieldText, isInside, partsOf } from "../../../../language/query";
import type { SyntaxNode } from "../../../../language/tree";

/** A copy of one buffer into another one, within the device. */
export interface DeviceCopy {
  readonly call: SyntaxNode;
  readonly target: string;
  readonly source: string;
  readonly bytes: SyntaxNode;
}

const copying = /^(?:::)?cudaMemcpy(?:Async)?$/;

/** The copies within the device that a part of host code makes, in order. */
export function deviceCopies(part: SyntaxNode): readonly DeviceCopy[] {
  return part.descendantsOfType("call_expression").flatMap((call) => {
    if (!copying.test(collapse(fieldText(call, "function")))) return [];
    const [target, source, bytes, direction] = partsOf(call.childForFieldName("arguments"));
    const isWithin = direction !== undefined && /\bcudaMemcpyDeviceToDevice$/.test(direction.text);
    if (!isWithin || target === undefined || source === undefined || bytes === undefined) return [];
    return [{ call, bytes, target: collapse(target.text), source: collapse(source.text) }];
  });
}

/** The copies that the functions make which launch a kernel. */
export function copiesBeside(launches: readonly CudaLaunch[]): readonly DeviceCopy[] {
  const hosts = launches.flatMap(({ host }) => host ?? []);
  const apart = hosts.filter((host, index) => hosts.findIndex(({ id }) => id === host.id) === index);
  return apart.flatMap((host) => deviceCopies(host).filter(({ call }) => isInside(call, host)));
}
