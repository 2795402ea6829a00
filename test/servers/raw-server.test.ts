import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stdioServer } from "../support/test-servers.ts";

const INITIALIZE = request("initialize", { protocolVersion: "2025-06-18", capabilities: {} });
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const LIST = request("tools/list");

interface Conversation {
  readonly status: number | null;
  readonly stderr: string;
  readonly lines: readonly string[];
}

function request(method: string, params: Readonly<Record<string, unknown>> = {}): object {
  return { jsonrpc: "2.0", id: method, method, params };
}

function call(name: string): object {
  return request("tools/call", { name, arguments: { text: "hi" } });
}

/** Sends everything at once, ends the input, and returns the output. */
function converse(behave: string, ...messages: readonly object[]): Conversation {
  const { command, args } = stdioServer("raw-server.mjs", ["--behave", behave]);
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: "utf8" });
  return { status, stderr, lines: stdout.split("\n").filter((line) => line !== "") };
}

/** The result or error of each answer. */
function answers({ lines }: Conversation): readonly unknown[] {
  return lines.map((line) => {
    const message: { readonly result?: unknown; readonly error?: unknown } = JSON.parse(line);
    return message.result ?? message.error ?? message;
  });
}

test("without a behaviour, the server answers everything and ends with its input", () => {
  const conversation = converse("", INITIALIZE, INITIALIZED, LIST, call("echo"), request("server/discover"));
  expect(conversation.status).toBe(0);
  expect(answers(conversation)).toMatchObject([
    { protocolVersion: "2025-06-18" },
    { tools: [{ name: "echo" }, { name: "pid" }] },
    { content: [{ type: "text", text: "hi" }] },
    { code: -32601 },
  ]);
});

test("an unknown behaviour is an error", () => {
  expect(converse("hangs", INITIALIZE).stderr).toContain("unknown behaviour hangs");
});

test.each([
  ["exit", 3, "boom: missing API_KEY\n", 0],
  ["exit-after-init", 4, "boom: gone after initialize\n", 1],
  ["crash-on-call", 5, "boom: crashed in a call\n", 3],
  ["hang", 0, "", 0],
  ["ignore-discover", 0, "", 3],
])("%s ends with %i", (behave, status, stderr, lines) => {
  const conversation = converse(
    behave,
    INITIALIZE,
    INITIALIZED,
    LIST,
    request("server/discover"),
    call("echo"),
  );
  const answered = conversation.lines.filter((line) => !line.includes("-32601"));
  expect({ ...conversation, lines: answered.length }).toEqual({ status, stderr, lines });
});

test("noise surrounds the messages with lines that are not JSON", () => {
  const { lines } = converse("noise", INITIALIZE);
  expect(lines.filter((line) => line.startsWith('{"jsonrpc"'))).toHaveLength(1);
  expect(lines.length).toBeGreaterThan(2);
});

test("an invalid tool is listed among valid ones", () => {
  expect(answers(converse("bad-tool", LIST))).toMatchObject([
    { tools: [{ name: "echo" }, { description: "has no name" }, { name: "pid" }] },
  ]);
});

test.each([
  ["pages", ["page-2", "page-3", undefined]],
  ["endless-pages", ["page-2", "page-3", "page-4"]],
  ["same-cursor", ["page-2", "page-2", "page-2"]],
])("the cursors of %s lead to the next page", (behave, cursors) => {
  const pages = ["page-2", "page-3"].map((cursor) => request("tools/list", { cursor }));
  const found = answers(converse(behave, LIST, ...pages));
  expect(found).toMatchObject(cursors.map((nextCursor) => (nextCursor === undefined ? {} : { nextCursor })));
  expect(found.map((page) => page instanceof Object && "nextCursor" in page)).toEqual(
    cursors.map((cursor) => cursor !== undefined),
  );
});

test("list-changed announces a tool that was not there before", () => {
  expect(answers(converse("list-changed", call("grow"), LIST))).toMatchObject([
    { method: "notifications/tools/list_changed" },
    { content: [{ text: "grown_1" }] },
    { tools: [{ name: "echo" }, { name: "pid" }, { name: "grow" }, { name: "grown_1" }] },
  ]);
});

test("evil-text is in names, descriptions, results and errors", () => {
  const evil = expect.stringContaining("\u001b[31m");
  expect(answers(converse("evil-text", LIST, call("evil"), call("evil_error")))).toMatchObject([
    {
      tools: [
        {},
        {},
        { name: "evil", title: evil, description: evil },
        { name: evil },
        { name: "evil_error" },
      ],
    },
    { content: [{ text: evil }] },
    { message: evil },
  ]);
});

test("a stubborn server with a grandchild outlives its input and SIGTERM, not SIGKILL", async () => {
  const file = join(tmpdir(), "pids.json");
  const { command, args, env } = stdioServer("raw-server.mjs", ["--behave", "ignore-sigterm,grandchild"], {
    PID_FILE: file,
  });
  const server = spawn(command, args, { env: { ...process.env, ...env }, detached: true });
  const closed = once(server, "close");
  server.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await once(server.stdout, "data");
  const pids: { readonly pid: number; readonly grandchild: number } = JSON.parse(readFileSync(file, "utf8"));
  expect(pids.pid).toBe(server.pid);

  server.kill("SIGTERM");
  server.stdin.end(`${JSON.stringify(call("pid"))}\n`);
  await once(server.stdout, "data");
  expect([pids.pid, pids.grandchild].map((pid) => process.kill(pid, 0))).toEqual([true, true]);

  process.kill(-pids.pid, "SIGKILL");
  expect(await closed).toEqual([null, "SIGKILL"]);
});

test("slow-start answers after a delay", async () => {
  const { command, args } = stdioServer("raw-server.mjs", ["--behave", "slow-start"]);
  const server = spawn(command, args);
  const closed = once(server, "close");
  server.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await once(server.stdout, "data");
  server.stdin.end();
  expect(await closed).toEqual([0, null]);
});
