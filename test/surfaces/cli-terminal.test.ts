import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { startPackageRegistry } from "../support/package-registry.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";
import { stdioServer } from "../support/test-servers.ts";

const program = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));

/** `script` of util-linux runs a program on a pseudo-terminal. */
const hasTerminal = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");
if (!hasTerminal)
  console.log("skipped: no `script` of util-linux, so nothing can be typed on a terminal here");

/** A question is answered with yes or no, or with one of several choices. */
const QUESTION = /\[y[^\]]*N\]/;
/** Where programs can be sandboxed, the approval has a choice of sandboxes. */
const CHOICES = whyNoSandbox() === undefined ? "[y = 1, 2, 3, N]" : "[y/N]";

interface Typed {
  readonly screen: string;
  readonly code: number | null;
}

/** Runs the program on a terminal and types `keys` when it asks. `onScreen` gets everything that is shown so far. */
async function onTerminal(
  sandbox: Sandbox,
  words: string,
  keys?: string,
  onScreen: (screen: string) => void = () => {},
): Promise<Typed> {
  const command = `stty cols 100; exec "${process.execPath}" "${program}" ${words}`;
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: sandbox.project,
    env: { ...sandbox.env(), TERM: "xterm" },
  });
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const hadAsked = QUESTION.test(screen);
    screen += text;
    if (keys !== undefined && !hadAsked && QUESTION.test(screen)) child.stdin.write(keys);
    onScreen(screen);
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
    expect(screen).toContain(`Allow this server to run? ${CHOICES}`);
    expect(screen).toContain("✓ Approved. Plugboard asks again if the launch changes.");
    expect(await onTerminal(sandbox, "call theirs echo text=hi")).toMatchObject({ code: 0, screen: "hi\n" });
  });

  test.each([
    ["no", "n\n"],
    ["nothing", "\n"],
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

  describe("a package of npx", () => {
    const entry = { command: "npx", args: ["-y", "mcp-acme@1.0.0"] };
    const folderName = createHash("sha512").update("mcp-acme@1.0.0").digest("hex").slice(0, 16); // as npm names it
    const raw = fileURLToPath(new URL("../servers/raw-server.mjs", import.meta.url));
    const script = `#!/usr/bin/env node\nawait import(${JSON.stringify(raw)});\n`;

    test("is shown while it is installed", async () => {
      await using sandbox = await createSandbox();
      let letGo = (): void => {};
      const shown = new Promise<void>((resolve) => (letGo = resolve));
      await using registry = await startPackageRegistry("mcp-acme", script, () => shown);
      await sandbox.writeHome(".npmrc", `registry=${registry.url}/\n`);
      await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { acme: entry } });
      const installing = /acme: npx is installing mcp-acme@1\.0\.0 \(\d+ s\): npm http /;
      const { screen, code } = await onTerminal(sandbox, "status --no-color", undefined, (text) => {
        if (installing.test(text)) letGo();
      });
      expect(screen).toMatch(/^Waiting for acme …\n/);
      expect(screen).toMatch(installing);
      expect(code).toBe(0);
    }, 120_000);

    test("that npm left incomplete is removed by `doctor --fix` after a yes, and not before", async () => {
      await using sandbox = await createSandbox();
      await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { acme: entry } });
      const folder = join(sandbox.home, ".npm", "_npx", folderName);
      await mkdir(join(folder, "node_modules", "mcp-acme"), { recursive: true });
      const refused = await onTerminal(sandbox, "doctor --fix --no-color", "n\n");
      expect(refused.screen).toContain("Remove these incomplete packages? [y/N]");
      expect([refused.code, existsSync(folder)]).toEqual([3, true]);
      const agreed = await onTerminal(sandbox, "doctor --fix --no-color", "y\n");
      expect(agreed.screen).toContain("✓ Removed mcp-acme@1.0.0.");
      expect([agreed.code, existsSync(folder)]).toEqual([0, false]);
    });
  });

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
