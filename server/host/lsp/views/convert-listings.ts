import { shown } from "../handshake/user-language";
import { isSameFile } from "../../../core/listing/index";
import type { KernelForm } from "../../services/services";
import type { ListingView, MachineCodeView } from "../../../protocol/views";
import { digestOf } from "../documents";

/** What the forms are called. */
const titles: Readonly<Record<KernelForm["form"], string>> = {
  sass: "SASS",
  ptx: "PTX",
  llir: "LLVM IR",
  ttgir: "Triton GPU IR",
  ttir: "Triton IR",
};

interface ListingSource {
  readonly kernel: string;
  /** Path of the kernel's file in the workspace. */
  readonly file: string;
  /** The file as it was compiled. */
  readonly text: string;
  readonly forms: readonly KernelForm[];
}

/** Listings for the editor, with the links into the kernel's own file. */
export const toMachineCodeView = shown(({ kernel, file, text, forms }: ListingSource): MachineCodeView => {
  return {
    kernel,
    textDigest: digestOf(text),
    textLength: text.length,
    listings: forms.map(({ form, rows, kernel: instance }): ListingView => ({
      form,
      title: titles[form],
      kernel: instance,
      text: rows.map((row) => `${row.text}\n`).join(""),
      links: rows.flatMap(({ places }, index) =>
        places
          .filter((place) => place.line > 0 && isSameFile(place.file, file))
          .map(({ line }) => [index + 1, line] as const),
      ),
    })),
  };
});
