import type { SourceTree } from "../../../core/judge/candidate";
import { deviceCode } from "../../../core/language/cuda/device/device-code";
import { hostHalf } from "../../../core/language/cuda/device/host-half";
import type { Grammars } from "../../../core/language/tree";
import type { DeviceSources } from "../../../core/ports/device-sources";

/** Under this name the stand-in for PyTorch's headers lies at the top of the sources. */
const torchHeaderName = "kernelwright-torch.h";
const torchInclude = /^([ \t]*#[ \t]*include[ \t]*)(?:<|")(?:torch|ATen|c10|THC|pybind11)\/[^>"\n]*(?:>|")/gm;

/** `torchHeader`: reads the text of the stand-in. */
export function createDeviceSources(
  grammars: () => Promise<Grammars>,
  torchHeader: () => Promise<string>,
): DeviceSources {
  return {
    read: async (tree) => {
      const { files, instances } = deviceCode(await grammars(), cudaFiles(tree));
      const replaced = Object.entries(files).map(
        ([path, text]) => [path, text.replace(torchInclude, `$1"${torchHeaderName}"`)] as const,
      );
      const usesTorch = replaced.some(([path, text]) => text !== files[path]);
      return {
        files: {
          ...tree,
          ...Object.fromEntries(replaced),
          ...(usesTorch ? { [torchHeaderName]: await torchHeader() } : {}),
        },
        instances,
        usesTorch,
      };
    },
    hostHalf: async (tree, macros) => {
      const half = hostHalf(await grammars(), cudaFiles(tree), macros);
      return { ...half, files: { ...tree, ...half.files } };
    },
  };
}

function cudaFiles(tree: SourceTree): SourceTree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.endsWith(".py")));
}
