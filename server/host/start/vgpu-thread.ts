import { runInThread } from "./run-in-thread";

// A thread of the virtual GPU.
runInThread("vgpu.js");
