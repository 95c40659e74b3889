import { expect, test } from "vitest";
import { defaultGpu, knownArchitectures } from "../../../server/core/timing/gpu-model";
import { parseTarget } from "../../../server/core/timing/target";
import { virtualTargets } from "../../../server/protocol/targets";

/** The compilers of CUDA 13 no longer know it. */
const uncompiled = "sm_70";

test("an editor offers each architecture that can be compiled and modelled", () => {
  const known = knownArchitectures().filter((architecture) => architecture !== uncompiled);
  expect(virtualTargets).toEqual(
    known.map((architecture) => ({ target: `vgpu:${architecture}`, gpu: defaultGpu(architecture).name })),
  );
  expect(virtualTargets.map(({ target }) => parseTarget(target).ok)).toEqual(virtualTargets.map(() => true));
});

test.each(["vgpu:sm_99", "vgpu:sm_8", "ssh:host/sm_110", "vgpu:sm_80x1"])(
  "%s cannot be modelled, and what can is named",
  (text) => {
    expect(parseTarget(text)).toEqual({
      ok: false,
      problem: `target "${text}" is not known: write vgpu:sm_80, ssh:HOST or ssh:HOST/sm_90; the architectures that can be modelled are ${knownArchitectures().join(", ")}`,
    });
  },
);
