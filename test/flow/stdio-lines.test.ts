import { describe, expect, test } from "vitest";
import type { ServerOptions } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { failureOf, hostIn } from "./host-in.ts";

/** A legacy server that writes each line with the given code, which can use `line` (the message as text) and `out`. */
function writing(write: string, more = ""): ServerOptions {
  const script = `
    const out = process.stdout, fs = require("fs");
    const say = (message) => { const line = JSON.stringify({ jsonrpc: "2.0", ...message }); ${write} };
    const text = (text) => ({ content: [{ type: "text", text }] });
    ${more}
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      if (method === "initialize") say({ id, result: { protocolVersion: "2025-03-26", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } } });
      else if (method === "tools/list") say({ id, result: { tools: ["echo", "long"].map((name) => ({ name, inputSchema: { type: "object" } })) } });
      else if (method !== "tools/call") say({ id, error: { code: -32601, message: "unknown" } });
      else if (params.name === "long") say({ id, result: text("x".repeat(17 * 1024 * 1024)) });
      else say({ id, result: text("日本 😀 é") });
    });`;
  return { command: process.execPath, args: ["-e", script] };
}

describe("a server is understood that writes", () => {
  test.each([
    ["with the line ends of Windows", 'out.write(line + "\\r\\n");'],
    ["with a byte order mark", 'out.write("\\ufeff" + line + "\\n");'],
    ["in batches", 'out.write("[" + line + "]\\n");'],
    ["with blank lines between", 'out.write("\\n  \\n" + line + "\\n\\n");'],
    [
      "byte by byte, characters cut in two",
      'for (const byte of Buffer.from(line + "\\n")) fs.writeSync(1, Buffer.of(byte));',
    ],
    ["other things in between", 'out.write("Listening…\\n[1,2]\\nnull\\n" + line + "\\n{ broken\\n");'],
  ])("%s", async (_, write) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { x: writing(write) } });
    expect(await host.call("x", "echo")).toMatchObject({ text: "日本 😀 é", isError: false });
  });
});

test.each([
  ["first", "out.write(line + '\\n');"],
  [
    "last",
    `const { id, ...rest } = message; out.write(JSON.stringify({ jsonrpc: "2.0", ...rest, id }) + "\\n");`,
  ],
])("a message over the limit fails only its own call, immediately: id %s", async (_, write) => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { x: writing(write) } });
  expect(await failureOf(host.call("x", "long"))).toMatchObject({
    code: "TOOL_CALL_FAILED",
    message: "Tool execution failed: the server's response is larger than 16 MB",
  });
  expect(await host.call("x", "echo")).toMatchObject({ text: "日本 😀 é" });
  await host.close("x");
  expect((await host.doctor.logs("x"))[0]?.lines.map(({ text }) => text)).toEqual([
    "[a message of more than 16 MB was dropped]",
  ]);
});

test("a server that floods standard error is still read, and is not blocked", async () => {
  await using sandbox = await createSandbox();
  const flood = `for (let count = 0; count < 200; count += 1) fs.writeSync(2, "complaint ".repeat(10_000) + "\\n");`;
  await using host = await hostIn(sandbox, { servers: { x: writing("out.write(line + '\\n');", flood) } });
  expect(await host.call("x", "echo")).toMatchObject({ isError: false });
});

describe("a server that closes its output but keeps running", () => {
  const HOLD = "setTimeout(() => {}, 60_000);";

  test("is reported with its last output at the start", async () => {
    await using sandbox = await createSandbox();
    const script = `console.error("cannot go on"); require("fs").closeSync(1); ${HOLD}`;
    await using host = await hostIn(sandbox, {
      servers: { x: { command: process.execPath, args: ["-e", script] } },
    });
    expect(await failureOf(host.connect("x"))).toEqual({
      code: "CONNECT_FAILED",
      message: 'Failed to connect to "x": the server closed its standard output but kept running',
      hint: "Output on standard error:\ncannot go on",
      server: "x",
    });
  });

  // A server on Bun cannot close its output, because Bun keeps a copy of it open.
  test.skipIf(process.versions["bun"] !== undefined)(
    "makes the call that it would have answered fail",
    async () => {
      await using sandbox = await createSandbox();
      const write = `if (line.includes("日本")) { fs.closeSync(1); ${HOLD} } else out.write(line + "\\n");`;
      await using host = await hostIn(sandbox, { servers: { x: writing(write) } });
      expect(await failureOf(host.call("x", "echo"))).toMatchObject({
        code: "TOOL_CALL_FAILED",
        message: 'Tool execution failed: "x" closed its standard output but kept running',
      });
    },
  );
});
