import { readFileSync } from "node:fs";
import { generationTime } from "./code-generation";

// A program of its own, so that nothing has run before: reads a PTX file and generates the code of one kernel
// once.
const [path = "", entry = ""] = process.argv.slice(2);
const milliseconds = generationTime(readFileSync(path, "utf8"), entry);
process.stdout.write(`${JSON.stringify({ milliseconds })}\n`);
