import { describe, expect, test } from "vitest";
import { hasPty, KEYS, startOnPty } from "../support/pty.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { realServer, stdioServer } from "../support/test-servers.ts";

async function sandboxWithAsking(era = "both"): Promise<Sandbox> {
  const sandbox = await createSandbox();
  const asking = stdioServer("asking-server.mjs", ["--era", era]);
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { asking } });
  return sandbox;
}

describe.skipIf(!hasPty)("a server that asks a question during `plugboard call`", () => {
  test.each(["legacy", "modern"])("is answered on the terminal with its form (%s era)", async (era) => {
    await using sandbox = await sandboxWithAsking(era);
    await using program = startOnPty(["call", "asking", "form"], { sandbox });
    await program.waitFor('"asking" needs some information');
    program.type("a");
    await program.waitFor("Your name (1/4)");
    program.enter("Ann");
    await program.waitFor("age (2/4, optional)");
    program.type(KEYS.enter);
    await program.waitFor("colour (3/4, optional)");
    program.type(KEYS.enter);
    await program.waitFor("sizes (4/4, optional)");
    program.type(KEYS.enter);
    await program.waitFor("Send this to asking?");
    program.type("s");
    await program.waitForText(/\{"name":"Ann","age":30,"colour":"green"/);
    expect((await program.ended).code).toBe(0);
    expect(program.raw()).toContain("\u001b[?2004l"); // the terminal is restored
  });

  test("gets a refusal if the user declines a page", async () => {
    await using sandbox = await sandboxWithAsking();
    await using program = startOnPty(["call", "asking", "page"], { sandbox });
    await program.waitFor("Open a page on example.com?");
    program.type("d");
    await program.waitForText('{"action":"decline"}');
    expect((await program.ended).code).toBe(0);
  });

  test("gets no answer after Ctrl-C, which ends the call", async () => {
    await using sandbox = await sandboxWithAsking();
    await using program = startOnPty(["call", "asking", "form"], { sandbox });
    await program.waitFor('"asking" needs some information');
    program.type(KEYS.ctrl("c"));
    expect((await program.ended).code).toBe(130);
  });
});

test("a server's question is refused without a terminal", async () => {
  await using sandbox = await sandboxWithAsking();
  const { code, stdout, stderr } = await runCli(["call", "asking", "form"], { sandbox });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^✗ Tool execution failed: .*elicitation/);
});

describe.skipIf(!hasPty)("a required argument that is missing", () => {
  async function sandboxWithTools(): Promise<Sandbox> {
    const sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { tools: stdioServer("tools-server.mjs") },
    });
    return sandbox;
  }

  test("is requested with a form on a terminal, without the others", async () => {
    await using sandbox = await sandboxWithTools();
    await using program = startOnPty(["call", "tools", "add", "a=40"], { sandbox });
    await program.waitFor("b (1/1)");
    program.enter("many");
    await program.waitFor("must be a number");
    program.type(KEYS.ctrl("u"));
    program.enter("2");
    await program.waitForText(/^42$/m);
    expect((await program.ended).code).toBe(0);
  });

  test("shows an example if it must be typed as JSON", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { files: realServer("filesystem", sandbox.project) },
    });
    const file = await sandbox.writeProject("a.txt", "old\n");
    await using program = startOnPty(["call", "files", "edit_file", `path=${file}`], { sandbox });
    await program.waitFor("edits (1/1)");
    await program.waitFor('Type JSON, such as [{"oldText":"text","newText":"text"}]');
    program.enter('[{"oldText":"old","newText":"new"}]');
    await program.waitForText("+new");
    expect((await program.ended).code).toBe(0);
  });

  test("is reported if the user cancels the form, and without a terminal", async () => {
    await using sandbox = await sandboxWithTools();
    await using program = startOnPty(["call", "tools", "add", "a=40"], { sandbox });
    await program.waitFor("b (1/1)");
    program.type(KEYS.escape);
    await program.waitForText('"b" is required');
    expect((await program.ended).code).toBe(2);
    const { code, stderr } = await runCli(["call", "tools", "add", "a=40"], { sandbox });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('"b" is required') });
  });
});
