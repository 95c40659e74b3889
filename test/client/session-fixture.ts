import type { SessionView } from "../../server/protocol/views";

/** A session that improved its kernel, without candidates. */
export const endedSession: SessionView = {
  sessionId: "1",
  file: "softmax.py",
  kernel: "softmax_kernel",
  target: "vgpu:sm_80",
  strategy: "rulebook",
  status: "succeeded",
  reason: "",
  started: "2026-11-23T10:00:00Z",
  folder: "/sessions/1",
  candidates: [],
  paused: false,
  progress: null,
  hasProposal: true,
  heldBack: [],
  partly: null,
};
