import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { hostIn } from "./host-in.ts";

const WRAP = [
  "bwrap",
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  "--unshare-net",
  "--unshare-pid",
];
const hasBubblewrap = spawnSync(WRAP[0] ?? "", [...WRAP.slice(1), "true"]).status === 0;
if (!hasBubblewrap) console.log("skipped: bubblewrap is not here or may not create namespaces");

/** A server with one tool, which reports whether its file can be written and which network interfaces it sees. */
const PROBE = `
  const { networkInterfaces } = require("os");
  const { writeFileSync } = require("fs");
  const info = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "n", version: "1" } };
  const probe = () => {
    let canWrite = true;
    try { writeFileSync(process.argv[1], "written"); } catch { canWrite = false; }
    const text = JSON.stringify({ canWrite, interfaces: Object.keys(networkInterfaces()).filter((name) => name !== "lo") });
    return { content: [{ type: "text", text }] };
  };
  const results = { initialize: () => info, "tools/list": () => ({ tools: [{ name: "probe", inputSchema: { type: "object" } }] }), "tools/call": probe };
  require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const answer = results[method];
    const rest = answer ? { result: answer() } : { error: { code: -32601, message: "unknown method" } };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
  });
`;

test.skipIf(!hasBubblewrap)("a server behind `wrap` runs in a real sandbox", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.home, "probed");
  await writeFile(file, "untouched");
  const entry = { command: process.execPath, args: ["-e", PROBE, file] };
  const servers = {
    open: entry,
    closed: { ...entry, wrap: WRAP },
    echo: { ...stdioServer("raw-server.mjs"), wrap: WRAP },
  };
  await using host = await hostIn(sandbox, { servers });
  const probe = async (server: string): Promise<{ canWrite: boolean; interfaces: string[] }> =>
    JSON.parse((await host.call(server, "probe", {})).text);
  expect(await probe("closed")).toEqual({ canWrite: false, interfaces: [] });
  expect((await probe("open")).canWrite).toBe(true); // the same program without the sandbox
  expect((await host.call("echo", "echo", { text: "hi" })).text).toBe("hi");
});
