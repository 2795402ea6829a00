import { PassThrough, Writable } from "node:stream";
import pino from "pino";
import { describe, expect, test } from "vitest";
import winston from "winston";
import type { HostOptions, LogLevel } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventually, failureOf, hostIn } from "./host-in.ts";

interface Line {
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A log that stores its lines. */
function keepLines(): { readonly lines: Line[]; readonly log: NonNullable<HostOptions["log"]> } {
  const lines: Line[] = [];
  return { lines, log: { log: (level, event, fields = {}) => lines.push({ level, event, fields }) } };
}

const shown = ({ level, event, fields }: Line): unknown => ({ level, event, ...fields });

test("discovery, decisions and problems are logged when the files are read", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { mine: stdioServer("tools-server.mjs"), broken: { command: 5 } },
  });
  const project = await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: { command: "x" } } });
  const { lines, log } = keepLines();
  await using host = await hostIn(sandbox, { log });
  expect(lines.map(shown)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        level: "info",
        event: "discovery.finished",
        servers: 3,
        usable: 1,
        files: 2,
      }),
      expect.objectContaining({ level: "debug", event: "server.found", server: "mine", allowed: true }),
      expect.objectContaining({
        event: "server.found",
        server: "theirs",
        file: project,
        allowed: false,
        reason: "untrusted",
      }),
      expect.objectContaining({ level: "error", event: "problem", server: "broken" }),
    ]),
  );
  lines.length = 0;
  await host.reload();
  expect(lines.map(({ event }) => event)).toContain("discovery.finished");
});

test("a server's start, requests and end are logged", async () => {
  await using sandbox = await createSandbox();
  const { lines, log } = keepLines();
  const servers = { tools: stdioServer("tools-server.mjs") };
  const host = await hostIn(sandbox, { discover: false, servers, log });
  await host.call("tools", "echo", { text: "an argument" });
  await host.call("tools", "fail", {});
  await host.close();
  expect(lines.map(shown)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ level: "info", event: "server.connecting", server: "tools" }),
      expect.objectContaining({
        level: "info",
        event: "server.connected",
        server: "tools",
        transport: "stdio",
        protocolVersion: "2026-07-28",
      }),
      expect.objectContaining({
        level: "debug",
        event: "request.finished",
        server: "tools",
        method: "tools/call",
        name: "echo",
        outcome: "ok",
        durationMs: expect.any(Number) as number,
      }),
      expect.objectContaining({ method: "tools/call", name: "fail", outcome: "tool_error" }),
      expect.objectContaining({ level: "info", event: "server.stopped", server: "tools" }),
    ]),
  );
  expect(JSON.stringify(lines)).not.toContain("an argument");
});

test("a refused operation is logged", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: { command: "x" } } });
  const { lines, log } = keepLines();
  const servers = { tools: { ...stdioServer("tools-server.mjs"), denyTools: ["echo"] } };
  await using host = await hostIn(sandbox, { servers, log });
  await failureOf(host.call("theirs", "any"));
  await failureOf(host.call("tools", "echo", { text: "x" }));
  expect(lines.map(shown)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ level: "info", event: "input.needed", server: "theirs", reason: "trust" }),
      expect.objectContaining({ event: "decision.refused", server: "theirs", code: "INTERACTION_REQUIRED" }),
      expect.objectContaining({ event: "decision.refused", server: "tools", code: "TOOL_DENIED" }),
    ]),
  );
});

test("no line contains a secret or a control character", async () => {
  await using sandbox = await createSandbox();
  const { lines, log } = keepLines();
  const servers = {
    asking: { ...stdioServer("asking-server.mjs"), env: { API_TOKEN: "s3cret-of-mine" } },
    "s3cret-of-mine\u001b[31m": { command: "no-such-program", args: ["--token", "s3cret-of-mine"] },
  };
  await using host = await hostIn(sandbox, { discover: false, servers, log });
  await host.call("asking", "log", { level: "warning", text: "\u001b[31mtoken s3cret-of-mine" });
  await host.connect("s3cret-of-mine\u001b[31m").catch(() => {});
  await eventually(() => expect(lines.map(({ event }) => event)).toContain("server.log"));
  const later = lines.slice(lines.findIndex(({ event }) => event === "server.connected"));
  expect(JSON.stringify(later)).not.toMatch(/s3cret-of-mine/);
  expect(JSON.stringify(lines)).not.toMatch(/\\u001b/);
});

describe("loggers that need no adapter", () => {
  const servers = { tools: stdioServer("tools-server.mjs"), gone: { command: "no-such-program" } };

  test("pino", async () => {
    await using sandbox = await createSandbox();
    const written = new Collected();
    const log = pino({ level: "debug" }, written);
    await using host = await hostIn(sandbox, { discover: false, servers, log });
    await host.call("tools", "echo", { text: "x" });
    await host.connect("gone").catch(() => {});
    expect(written.objects()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ level: 30, msg: "server.connected", server: "tools" }),
        expect.objectContaining({ level: 20, msg: "request.finished", method: "tools/call", name: "echo" }),
        expect.objectContaining({ level: 50, msg: "MCP connection failed", server: "gone" }),
      ]),
    );
  });

  test("winston", async () => {
    await using sandbox = await createSandbox();
    const written = new Collected();
    const transports = [new winston.transports.Stream({ stream: written })];
    const log = winston.createLogger({ level: "debug", format: winston.format.json(), transports });
    await using host = await hostIn(sandbox, { discover: false, servers, log });
    await host.call("tools", "echo", { text: "x" });
    await host.connect("gone").catch(() => {});
    await eventually(() =>
      expect(written.objects()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ level: "info", message: "server.connected", server: "tools" }),
          expect.objectContaining({
            level: "debug",
            message: "request.finished",
            method: "tools/call",
            name: "echo",
          }),
          expect.objectContaining({ level: "error", message: "MCP connection failed", server: "gone" }),
        ]),
      ),
    );
  });

  test("console", async () => {
    await using sandbox = await createSandbox();
    let written = "";
    const out = new PassThrough().on("data", (chunk: Buffer) => {
      written += chunk.toString();
    });
    const { Console } = await import("node:console");
    await using host = await hostIn(sandbox, { discover: false, servers, log: new Console(out) });
    await host.connect("tools");
    await eventually(() => expect(written).toMatch(/^info server\.connected \{\s+server: 'tools'/m));
  });
});

test("a value that is not a logger is refused", async () => {
  await using sandbox = await createSandbox();
  // @ts-expect-error: a logger has `log`, or a method for each level
  const creating = hostIn(sandbox, { log: { info() {} } });
  expect(await failureOf(creating)).toMatchObject({ code: "USAGE_INVALID" });
});

/** Stores what is written to it, one JSON object per line. */
class Collected extends Writable {
  #text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#text += chunk.toString("utf8");
    done();
  }

  objects(): unknown[] {
    return this.#text
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line));
  }
}
