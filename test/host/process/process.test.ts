import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BoundedOutput } from "../../../server/host/process/bounded-output";
import { countGroups } from "../../../server/host/process/running-groups";
import { keyVariables } from "../../../server/host/model/providers";
import { takeEnvironment } from "../../../server/host/process/own-environment";
import { runProcess, type RunOptions } from "../../../server/host/process/run-process";
import { startProcess } from "../../../server/host/process/start-process";
import { eventually } from "../../harness/eventually";
import { isAlive } from "../../harness/marked-processes";

const run = (program: string, options: Partial<RunOptions> = {}): ReturnType<typeof runProcess> =>
  runProcess({
    command: process.execPath,
    arguments: ["-e", program],
    timeLimitMilliseconds: 30_000,
    ...options,
  });

describe("a program's end is data", () => {
  test.each([
    [
      "its code and what it wrote",
      "process.stdout.write('out');process.stderr.write('err');process.exitCode=3",
      { kind: "exited", code: 3, output: "out", errors: "err" },
    ],
    ["a signal", "process.kill(process.pid,'SIGKILL')", { kind: "killed", signal: "SIGKILL" }],
    [
      "its input",
      "process.stdin.pipe(process.stdout)",
      { kind: "exited", code: 0, output: "given; $(touch x)" },
    ],
  ])("%s", async (_name, program, expected) => {
    expect(await run(program, { input: "given; $(touch x)" })).toMatchObject(expected);
  });

  test("arguments reach it as they are: no shell stands between", async () => {
    const words = ["a b", "$HOME", "; exit 9", "*", "'\""];
    const result = await runProcess({
      command: process.execPath,
      arguments: ["-e", "console.log(JSON.stringify(process.argv.slice(1)))", ...words],
      timeLimitMilliseconds: 30_000,
    });
    expect(result).toMatchObject({ code: 0, output: `${JSON.stringify(words)}\n` });
  });

  test("a program that is not there", async () => {
    await expect(
      runProcess({ command: "no-such-program-here", arguments: [], timeLimitMilliseconds: 1000 }),
    ).rejects.toMatchObject({ code: "tool-missing" });
  });
});

test("the model's key is taken out of the environment: no child sees it, whatever it is passed", async () => {
  const names = keyVariables;
  const before = { ...process.env };
  for (const name of names) process.env[name] = "secret";
  const taken = takeEnvironment(names);
  const result = await run("console.log(JSON.stringify(process.env))", { passVariables: names });
  Object.assign(process.env, before);
  expect(names.map((name) => taken[name])).toEqual(["secret", "secret"]);
  expect(result).toMatchObject({ kind: "exited", code: 0 });
  expect("output" in result && result.output).not.toContain("secret");
});

test("secrets of the server's environment do not reach it", async () => {
  process.env["SOME_API_KEY"] = "secret";
  const result = await run(
    "console.log(JSON.stringify([process.env.SOME_API_KEY ?? null, process.env.PATH !== undefined, process.env.ADDED]))",
    { environment: { ADDED: "yes" } },
  );
  delete process.env["SOME_API_KEY"];
  expect(result).toMatchObject({ output: '[null,true,"yes"]\n' });
});

describe("the whole group ends", () => {
  const withGrandchild = (file: string): string =>
    `const c=require('child_process').spawn(process.execPath,['-e','setInterval(()=>{},1000)'],{stdio:'ignore'});require('fs').writeFileSync(${JSON.stringify(file)},String(c.pid));setInterval(()=>{},1000)`;

  test("at its time limit", async () => {
    const folder = mkdtempSync(join(tmpdir(), "kw-process-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "pid");
    expect(await run(withGrandchild(file), { timeLimitMilliseconds: 1_500 })).toMatchObject({
      kind: "timed-out",
    });
    const grandchild = Number(readFileSync(file, "utf8"));
    // Nobody may have asked yet how it ended: until then its number is taken.
    await eventually({
      what: "the end of the grandchild",
      read: () => Promise.resolve(isAlive(grandchild)),
      accept: (alive) => !alive,
    });
  });

  test("when it is cancelled, even if it ignores SIGTERM", async () => {
    const controller = new AbortController();
    const started = await startProcess({
      command: process.execPath,
      arguments: [
        "-e",
        "process.on('SIGTERM',()=>{});process.stdout.write('ready');setInterval(()=>{},1000)",
      ],
      signal: controller.signal,
    });
    await new Promise((resolve) => started.output.once("data", resolve));
    const groups = countGroups();
    controller.abort();
    expect(await started.exited).toEqual({ code: null, signal: "SIGKILL" });
    expect(countGroups()).toBe(groups - 1);
  });

  test("a signal that has fired already starts nothing", async () => {
    await expect(run("", { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" });
  });
});

test("long output keeps its beginning and its end", async () => {
  const result = await run("process.stdout.write('first'+'x'.repeat(100000)+'last')", {
    outputLimitBytes: 64,
  });
  expect(result.output).toMatch(/^firstx{27}\n\[\d+ bytes left out\]\nx{28}last$/);
  const small = new BoundedOutput(10);
  for (const letter of "abcdefghijkl") small.add(Buffer.from(letter));
  expect([small.text(), small.droppedBytes]).toEqual(["abcde\n[2 bytes left out]\nhijkl", 2]);
});
