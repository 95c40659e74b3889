import { openStore, startEvent } from "./session-fixtures";

/**
 * A real writer: argv holds the root, then `create` or the session to reopen. It tells each event that was
 * accepted, and goes on until it is killed.
 */
async function write(root: string, sessionId: string): Promise<void> {
  const store = openStore(root);
  const log = sessionId === "create" ? await store.create() : await store.reopen(sessionId);
  process.stdout.write(`session ${log.sessionId}\n`);
  const tree = await log.snapshot({ "a.cu": `// ${process.pid}\n` }, null);
  if (sessionId === "create") await log.append(startEvent(tree));
  for (let count = 0; ; count++) {
    const call = `${process.pid}-${count}`;
    const text = await log.storeText(`${count} `.repeat(count % 7 === 0 ? 3000 : 10));
    await log.append({
      type: "tool.called",
      actor: { kind: "engine" },
      data: { call, name: "read", arguments: {}, effect: "read", origin: "engine" },
    });
    const event = await log.append({
      type: "tool.returned",
      actor: { kind: "engine" },
      data: { call, status: "ok", output: text, shown: text, duration_ms: 0 },
    });
    process.stdout.write(`event ${event.seq}\n`);
  }
}

write(process.argv[2] ?? "", process.argv[3] ?? "create").catch((thrown: unknown) => {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "none";
  process.stdout.write(`failed ${code} ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
});
