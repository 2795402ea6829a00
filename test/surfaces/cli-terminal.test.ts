import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const program = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));

/** `script` of util-linux runs a program on a pseudo-terminal. */
const hasTerminal = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");
if (!hasTerminal)
  console.log("skipped: no `script` of util-linux, so nothing can be typed on a terminal here");

interface Typed {
  readonly screen: string;
  readonly code: number | null;
}

/** Runs the program on a terminal and types `keys` when it asks. */
async function onTerminal(sandbox: Sandbox, words: string, keys?: string): Promise<Typed> {
  const command = `stty cols 100; exec "${process.execPath}" "${program}" ${words}`;
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: sandbox.project,
    env: { ...sandbox.env(), TERM: "xterm" },
  });
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const hadAsked = screen.includes("[y/N]");
    screen += text;
    if (keys !== undefined && !hadAsked && screen.includes("[y/N]")) child.stdin.write(keys);
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { screen: screen.replaceAll("\r\n", "\n"), code };
}

describe.skipIf(!hasTerminal)("on a terminal", () => {
  async function sandboxWith(server: object): Promise<Sandbox> {
    const sandbox = await createSandbox();
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { theirs: server } });
    return sandbox;
  }

  test("`trust` asks, and yes approves the shown launch", async () => {
    await using sandbox = await sandboxWith(stdioServer("raw-server.mjs"));
    const { screen, code } = await onTerminal(sandbox, "trust theirs --no-color", "y\n");
    expect(code).toBe(0);
    expect(screen).toContain("Allow this server to run? [y/N]");
    expect(screen).toContain("✓ Approved. Plugboard asks again if the launch changes.");
    expect(await onTerminal(sandbox, "call theirs echo text=hi")).toMatchObject({ code: 0, screen: "hi\n" });
  });

  test.each([
    ["no", "n\n"],
    ["nothing", "\n"],
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("`trust` answered with %s approves nothing", async (_, keys) => {
    await using sandbox = await sandboxWith({ command: "touch", args: ["started"] });
    const { screen, code } = await onTerminal(sandbox, "trust theirs --no-color", keys);
    expect(code).toBe(3);
    expect(screen).toContain('\n✗ "theirs" was not approved.\n');
    const later = await onTerminal(sandbox, "call theirs echo --no-color");
    expect(later.code).toBe(3);
    expect(existsSync(join(sandbox.project, "started"))).toBe(false);
  });

  test("the progress of a call is one line that is cleared before the result", async () => {
    await using sandbox = await createSandbox();
    const tools = stdioServer("tools-server.mjs");
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools } });
    const { screen, code } = await onTerminal(sandbox, "call tools progress steps=2");
    expect(code).toBe(0);
    expect(screen).toBe("\r\u001b[K… 1/2 step 1 of 2\r\u001b[K… 2/2 step 2 of 2\r\u001b[K2 steps done\n");
  });

  test.each(["tools", "tools hanging", "resources", "prompts", "status"])(
    "`%s` shows which server it waits for",
    async (words) => {
      await using sandbox = await createSandbox();
      const hanging = { ...stdioServer("raw-server.mjs", ["--behave", "hang"]), startupTimeout: 2_500 };
      await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { hanging } });
      const { screen } = await onTerminal(sandbox, `${words} --no-color`);
      expect(screen).toMatch(/^Waiting for hanging …\n[^]*did not answer within 2500 ms/);
    },
  );

  test("a tool's result cannot control the terminal", async () => {
    await using sandbox = await createSandbox();
    const raw = stdioServer("raw-server.mjs", ["--behave", "evil-text"]);
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { raw } });
    const { screen } = await onTerminal(sandbox, "call raw evil text=x");
    expect(screen).toContain("\\x1b[31mred");
    // Only our own warning mark is coloured.
    expect(screen.replaceAll("\u001b[33m!\u001b[39m", "!")).not.toContain("\u001b");
  });
});
