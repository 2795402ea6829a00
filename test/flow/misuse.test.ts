import { describe, expect, test } from "vitest";
import type { ServerOptions } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

describe("an unknown name", () => {
  test("of a server gets the nearest suggested", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { filesystem: stdioServer("raw-server.mjs") } });
    expect(await failureOf(host.call("filesytsem", "echo"))).toEqual({
      code: "SERVER_UNKNOWN",
      message: 'Unknown server "filesytsem".',
      hint: 'Did you mean "filesystem"?',
      server: "filesytsem",
    });
    expect(await failureOf(host.tools("github"))).toMatchObject({ hint: "Configured: filesystem." });
    expect(await failureOf(host.doctor.test("github"))).toMatchObject({ code: "SERVER_UNKNOWN" });
    expect(await failureOf(host.connect("github"))).toMatchObject({ code: "SERVER_UNKNOWN" });
  });

  test("of a server is reported if no server is configured", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    expect(await failureOf(host.tools("github"))).toMatchObject({ hint: "No server is configured." });
  });

  test("of a tool gets the nearest suggested", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { raw: stdioServer("raw-server.mjs") } });
    expect(await failureOf(host.call("raw", "ecko"))).toEqual({
      code: "TOOL_UNKNOWN",
      message: 'Server "raw" has no tool "ecko".',
      hint: 'Did you mean "echo"?',
      server: "raw",
    });
    expect(await failureOf(host.call("raw", "something"))).toMatchObject({ hint: "It offers echo, pid." });
  });

  test("of an argument gets the nearest suggested", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
    expect(await failureOf(host.call("tools", "echo", { text: "hi", txet: "hi" }))).toMatchObject({
      code: "TOOL_ARGUMENTS_INVALID",
      message: 'Invalid arguments for "echo": "txet" is not an argument of this tool (did you mean "text"?).',
      server: "tools",
    });
  });
});

test.each([
  ["a missing argument", "add", { a: 1 }, '"b" is required'],
  ["a text for a number", "add", { a: 1, b: "2" }, '"b" must be a number, not a string'],
  ["a fraction for a whole number", "typed", { count: 1.5 }, '"count" must be an integer, not a number'],
  ["a value that is not offered", "typed", { mode: "medium" }, '"mode" must be one of "fast", "slow"'],
  ["a wrong item of a list", "typed", { tags: ["a", 1] }, '"tags[1]" must be a string, not a number'],
  ["a wrong value inside an object", "typed", { nested: { level: "x" } }, '"nested.level" must be'],
])("%s is refused before a request is sent", async (_, tool, args, complaint) => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  const failure = await failureOf(host.call("tools", tool, args));
  expect(failure.code).toBe("TOOL_ARGUMENTS_INVALID");
  expect(failure.message).toContain(`Invalid arguments for "${tool}": ${complaint}`);
});

test("the errors for a disabled and an invalid server explain why they cannot be used", async () => {
  await using sandbox = await createSandbox();
  const off = { ...stdioServer("raw-server.mjs"), enabled: false };
  const both = { command: "x", url: "http://x" } as unknown as ServerOptions;
  await using host = await hostIn(sandbox, { servers: { off, both } });
  expect(await failureOf(host.call("off", "echo"))).toEqual({
    code: "SERVER_DISABLED",
    message: 'Server "off" is disabled.',
    hint: expect.stringContaining('It is disabled by "enabled": false'),
    server: "off",
  });
  const invalid = await failureOf(host.call("both", "echo"));
  expect(invalid).toMatchObject({ code: "SERVER_INVALID", server: "both" });
  expect(invalid.message).toContain('both "command" and "url" are set');
});

test("a call to a tool that the server does not know fails with the server's message", async () => {
  await using sandbox = await createSandbox();
  const raw = stdioServer("raw-server.mjs", ["--behave", "evil-text"]);
  await using host = await hostIn(sandbox, { servers: { raw } });
  const { code, message } = await failureOf(host.call("raw", "evil_error"));
  expect(code).toBe("TOOL_CALL_FAILED");
  expect(message).toMatch(/^Tool execution failed: .*\\x1b\[31mred/);
});
