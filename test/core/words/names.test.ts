import { candidateHead, candidateName, describeTarget } from "../../../server/core/words/names/names";
import { expect, test } from "vitest";

test.each([
  ["vgpu:sm_80", "A100 40GB SXM (sm_80), modelled"],
  ["vgpu:sm_90", "H100 SXM (sm_90), modelled"],
  ["ssh:box/sm_80", "A100 40GB SXM (sm_80), modelled, compiled on box"],
  ["gpu:0", "gpu:0"],
  ["gpu:0/H200 SXM", "H200 SXM (sm_90), timed on gpu:0"],
  ["ssh:box/gpu:1/H200 SXM", "H200 SXM (sm_90), timed on ssh:box/gpu:1"],
  ["command:bench", "command:bench"],
  ["", ""],
])("the target %s reads: %s", (target, words) => expect(describeTarget(target)).toBe(words));

test.each([
  ["c12", "candidate 12", "Candidate 12"],
  ["baseline", "the baseline", "The baseline"],
  ["odd", "odd", "odd"],
])("the candidate %s is called %s", (id, name, head) =>
  expect([candidateName(id), candidateHead(id)]).toEqual([name, head]),
);
