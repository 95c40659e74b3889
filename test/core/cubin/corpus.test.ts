import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cubin, FunctionCode } from "../../../server/core/cubin";
import { readElf, sectionReader } from "../../../server/core/cubin/elf";
import { decodeInstructions } from "../../../server/core/cubin/instruction";
import { corpusModules } from "./corpus";
import { cubinCases, fixtureNames, fixturePath, readFixture, readKnown } from "./fixtures";
import {
  assemble,
  type Assembled,
  compileToPtx,
  disassemble,
  dumpResources,
  type ReferenceCode,
  toolFolder,
} from "./reference";

/**
 * The ordinary suite takes a sixth of the kernels on four architectures; KERNELWRIGHT_FULL_CORPUS=1 takes all
 * of both.
 */
const full = process.env["KERNELWRIGHT_FULL_CORPUS"] === "1";
const architectures = full ? [75, 80, 86, 89, 90, 100, 120] : [75, 80, 90, 120];
const tools = toolFolder();

/** Hand-written PTX of instructions that CUDA C++ seldom reaches, with the architectures that have them. */
const rare: readonly { readonly file: string; readonly architecture: string }[] = [
  ...["sm_75", "sm_80", "sm_90", "sm_120"].map((architecture) => ({ file: "rare", architecture })),
  { file: "hopper", architecture: "sm_90a" },
  { file: "blackwell", architecture: "sm_100a" },
  { file: "packed-pairs", architecture: "sm_100" },
  { file: "packed-pairs", architecture: "sm_120" },
  { file: "block-scaled", architecture: "sm_120a" },
];

function codeCounts(code: FunctionCode): Record<string, number> {
  return Object.fromEntries(
    code.lines.flatMap((line) =>
      Object.entries(line.opcodes).map(([opcode, count]) => [`${line.file}:${line.line} ${opcode}`, count]),
    ),
  );
}

function codeStalls(code: FunctionCode): Record<string, number> {
  return Object.fromEntries(code.lines.map((line) => [`${line.file}:${line.line}`, line.staticStallCycles]));
}

/** Widths and branches are compared on the decoded instructions, which the summary does not keep. */
function decoded(bytes: Uint8Array): Map<string, Pick<ReferenceCode, "widths" | "branches">> {
  const elf = readElf(bytes);
  return new Map(
    elf.sections
      .filter((section) => section.name.startsWith(".text."))
      .map((section) => {
        const widths: Record<string, number> = {};
        const branches: [number, number][] = [];
        for (const { operation, width, target, offset } of decodeInstructions(
          sectionReader(elf, section),
          elf.architecture,
        )) {
          if (width > 0)
            widths[`${operation.name} ${width}`] = (widths[`${operation.name} ${width}`] ?? 0) + 1;
          if (target !== undefined) branches.push([offset, target]);
        }
        return [section.name.slice(".text.".length), { widths, branches }];
      }),
  );
}

function compareResources(
  cubin: Cubin,
  assembled: Assembled,
  dumped: ReturnType<typeof dumpResources>,
): void {
  const own = Object.fromEntries(
    cubin.kernels.map((kernel) => [
      kernel.name,
      {
        registers: kernel.registers,
        cumulativeStackBytes: kernel.cumulativeStackBytes,
        spillStoreBytes: kernel.spills.storeBytes,
        spillLoadBytes: kernel.spills.loadBytes,
        sharedBytes: kernel.sharedBytes,
        barriers: kernel.barriers,
      },
    ]),
  );
  expect(own).toEqual(Object.fromEntries([...assembled.resources].sort()));
  const dumpable = Object.fromEntries(
    cubin.kernels.map((kernel) => [
      kernel.name,
      {
        registers: kernel.registers,
        stackBytes: kernel.stackBytes,
        sharedBytes: kernel.sharedBytes + kernel.reservedSharedBytes,
      },
    ]),
  );
  expect(dumpable).toEqual(Object.fromEntries(cubin.kernels.map(({ name }) => [name, dumped.get(name)])));
}

function compareCode(cubin: Cubin, bytes: Uint8Array, reference: readonly ReferenceCode[]): void {
  const codes = new Map([...cubin.kernels, ...cubin.functions].map((code) => [code.name, code]));
  const raw = decoded(bytes);
  expect([...codes.keys()].sort()).toEqual(reference.map(({ name }) => name).sort());
  for (const expected of reference) {
    const code = codes.get(expected.name);
    if (code === undefined) continue;
    expect({
      name: code.name,
      counts: codeCounts(code),
      stalls: codeStalls(code),
      ...raw.get(code.name),
    }).toEqual(expected);
  }
}

describe.runIf(tools !== undefined)(
  `the cubin reader agrees with ptxas, nvdisasm and cuobjdump${tools === undefined ? " (left out: no Triton wheel)" : ""}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), "kernelwright-cubin-"));
    const modules = corpusModules(full ? 1 : 6);
    const fixture = {
      name: "fixture",
      virtualArchitecture: "compute_75",
      source: readFileSync(join(cubinCases, "fixture.cu"), "utf8"),
      kernelCount: 7,
    };
    const ptx = new Map<string, string>();

    beforeAll(() => {
      for (const module of [...modules, fixture]) ptx.set(module.name, compileToPtx(folder, module));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test("the corpus has at least 200 kernels that every architecture compiles", () => {
      expect(
        corpusModules()
          .filter((module) => module.virtualArchitecture === "compute_75")
          .reduce((sum, module) => sum + module.kernelCount, 0),
      ).toBeGreaterThanOrEqual(200);
    });

    const pairs = modules.flatMap((module) =>
      architectures
        .filter((architecture) => architecture >= Number(module.virtualArchitecture.slice("compute_".length)))
        .map((architecture) => ({ module: module.name, architecture })),
    );
    test.each(pairs)("$module on $architecture", ({ module, architecture }) => {
      const assembled = assemble(ptx.get(module) ?? "", `sm_${architecture}`);
      const cubin = readKnown(assembled.bytes);
      expect(cubin.architecture).toBe(architecture);
      expect(cubin.kernels.length).toBe(modules.find(({ name }) => name === module)?.kernelCount);
      compareResources(cubin, assembled, dumpResources(tools ?? "", assembled.file));
      compareCode(cubin, assembled.bytes, disassemble(tools ?? "", assembled.file));
    });

    test.each(rare)("rare instructions: $file on $architecture", ({ file, architecture }) => {
      copyFileSync(join(cubinCases, `${file}.ptx`), join(folder, `${file}.ptx`));
      const assembled = assemble(join(folder, `${file}.ptx`), architecture);
      compareCode(readKnown(assembled.bytes), assembled.bytes, disassemble(tools ?? "", assembled.file));
    });

    test.each([75, 80, 90, 100, 120])(
      "cubins of the older toolkit that the wheel carries, on %s",
      (architecture) => {
        // An older assembler refuses the newest version of the language, which these kernels do not need.
        const older = join(folder, "older.ptx");
        const newest = readFileSync(ptx.get(fixture.name) ?? "", "utf8");
        writeFileSync(older, newest.replace(/^\.version .*$/m, ".version 8.7"));
        const assembled = assemble(older, `sm_${architecture}`, join(tools ?? "", "ptxas"));
        const cubin = readKnown(assembled.bytes);
        compareResources(cubin, assembled, dumpResources(tools ?? "", assembled.file));
        compareCode(cubin, assembled.bytes, disassemble(tools ?? "", assembled.file));
      },
    );

    test.each(fixtureNames)("the kept cubin %s", (name) => {
      compareCode(
        readKnown(readFixture(name)),
        readFixture(name),
        disassemble(tools ?? "", fixturePath(name)),
      );
    });
  },
);
