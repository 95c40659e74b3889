import type { Outcome } from "../../../core/base/outcome";
import type { LinkSource } from "../../../core/vgpu/index";
import type { AddedModule } from "../device/device";
import { LoadedModule } from "../device/loaded-module";
import type { DeviceProblem } from "../device/statuses";
import { type WireReader, WireWriter } from "./wire";

/** The module of a `load`. */
export function readModule(reader: WireReader): Outcome<LoadedModule, DeviceProblem> {
  return LoadedModule.load(reader.text(), reader.data(reader.count()));
}

/** The module of a `link`. Throws WireError when the body holds fewer files than it says. */
export function readParts(reader: WireReader): Outcome<LoadedModule, DeviceProblem> {
  const sources: LinkSource[] = [];
  for (let count = reader.count(); count > 0; count -= 1)
    sources.push({ name: reader.text(), ptx: reader.text() });
  return LoadedModule.link(sources, reader.data(reader.count()));
}

/** What a program learns of a module: its kernels and its variables. */
export function contentOf({ handle, module, addresses }: AddedModule): Uint8Array {
  const writer = new WireWriter().wide(handle).count(module.kernels.size);
  for (const kernel of module.kernels.values()) {
    writer
      .text(kernel.name)
      .count(kernel.staticSharedBytes)
      .count(kernel.localBytes)
      .count(kernel.machine?.registers ?? 0)
      .count(kernel.maxThreads)
      .count(kernel.parameters.length);
    for (const { offset, size } of kernel.parameters) writer.count(offset).count(size);
  }
  writer.count(addresses.size);
  for (const [name, address] of addresses) {
    const variable = module.ptx.variables.get(name);
    writer
      .text(name)
      .wide(address)
      .wide(variable?.size ?? 0)
      .count(variable?.space === "const" ? 1 : 0);
  }
  return writer.bytes();
}
