import { describe, expect, it, test } from "vitest";
import type { Choice } from "../../../server/core/base/choice";
import { capabilityOf, defaultGpu, knownArchitectures } from "../../../server/core/timing/gpu-model";
import { parseTarget } from "../../../server/core/timing/target";
import { catalogue } from "../../../server/host/services/catalogue";
import { reportFormat } from "../../../server/protocol/requests";
import { settingTable } from "../../../server/protocol/settings";

/** The compilers of CUDA 13 no longer know it. */
const uncompiled = "sm_70";

const lists: readonly { readonly name: string; readonly choices: readonly Choice[] }[] = [
  { name: "formats", choices: catalogue.formats },
  { name: "strategies", choices: catalogue.strategies },
  { name: "targets", choices: catalogue.targets },
];

describe("the catalogue", () => {
  it.each(lists)("tells $name apart, each with a title and a sentence", ({ choices }) => {
    const ids = choices.map(({ id }) => id);
    const titles = choices.map(({ title }) => title);
    expect([new Set(ids).size, new Set(titles).size]).toEqual([ids.length, titles.length]);
    expect(choices.filter(({ id }) => !/^[a-z][\w:.-]*$/.test(id))).toEqual([]);
    expect(choices.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([]);
  });

  it("holds what is chosen when nobody chooses, and the format of the report", () => {
    expect(catalogue.strategies[0]?.id).toBe(settingTable.strategy.default);
    expect(catalogue.targets.map(({ id }) => id)).toContain(settingTable.target.default);
    expect(catalogue.formats.map(({ id }) => id)).toContain(reportFormat);
  });

  it("offers each architecture that can be compiled and modelled", () => {
    const known = knownArchitectures().filter((architecture) => architecture !== uncompiled);
    expect(catalogue.targets.map(({ id, title }) => [id, title])).toEqual(
      known.map((architecture) => [
        `vgpu:${architecture}`,
        `${defaultGpu(architecture).name} (${architecture})`,
      ]),
    );
    expect(known.map(capabilityOf)).toEqual(known.map((architecture) => defaultGpu(architecture).capability));
    expect(catalogue.targets.filter(({ id }) => !parseTarget(id).ok)).toEqual([]);
  });
});

test.each(["vgpu:sm_99", "vgpu:sm_8", "ssh:host/sm_110", "vgpu:sm_80x1"])(
  "%s cannot be modelled, and what can is named",
  (text) => {
    expect(parseTarget(text)).toEqual({
      ok: false,
      problem: `target "${text}" is not known: write vgpu:sm_80, gpu:0, ssh:HOST, ssh:HOST/sm_90 or ssh:HOST/gpu:0; the architectures that can be modelled are ${knownArchitectures().join(", ")}`,
    });
  },
);
