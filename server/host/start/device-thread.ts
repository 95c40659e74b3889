import { runInThread } from "./run-in-thread";

// The thread of a program's device, or one that helps it.
runInThread("device.js");
