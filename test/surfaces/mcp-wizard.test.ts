import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runWizard } from "../../src/surfaces/tui/mcp/wizard.ts";
import type { WizardContext } from "../../src/surfaces/tui/mcp/wizard-questions.ts";
import { beginWizard } from "../../src/surfaces/tui/mcp/wizard-state.ts";
import { openMcpSession } from "../support/mcp-session.ts";
import { browse, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { type Asked, AWAY, BACK, createScriptedScreen, ESC, inOrder } from "../support/scripted-screen.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";

const tools = stdioServer("tools-server.mjs");
const commandLine = [tools.command, ...tools.args].join(" ");

/** Returns every file of the user and the project with its content. */
async function filesOf({ home, project }: Sandbox): Promise<Record<string, string>> {
  const found: [string, string][] = [];
  for (const folder of [home, project])
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile()) found.push([file, await readFile(file, "utf8")]);
    }
  return Object.fromEntries(found);
}

const nativeFile = async (sandbox: Sandbox, scope: "project" | "home"): Promise<unknown> =>
  JSON.parse(await readFile(join(sandbox[scope], ".plugboard", "mcp.json"), "utf8"));

describe("/mcp add without words", () => {
  test("adds a program after a successful test", async () => {
    await using sandbox = await createSandbox();
    const reply = inOrder("files", "stdio", commandLine, AWAY, "project", "add");
    await using session = await openMcpSession(sandbox, { reply });
    const text = await session.type("/mcp add");
    expect(text).toMatch(
      /^\+ Added server "files" to project config .*\n◌ Server is connecting in background\.\.\.\n● files connected · \d+ tools added$/,
    );
    expect(await nativeFile(sandbox, "project")).toEqual({
      mcpServers: { files: { type: "stdio", command: tools.command, args: tools.args } },
    });
    const [, , , trial, , summary] = session.screen.asked;
    expect(trial?.title).toBe('Testing connection to "files"... (esc to cancel)');
    expect(summary?.lines.join("\n")).toContain(JSON.stringify(tools.args));
    expect(summary?.lines.join("\n")).toMatch(/✓ Connected: .*, \d+ tools/);
  });

  test("asks again after invalid input, and keeps the input when going back", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { taken: tools } });
    const reply = inOrder(
      "no good",
      "taken",
      "files",
      "http",
      "not an address",
      BACK,
      "stdio",
      "'open",
      "x",
      AWAY,
      BACK,
      BACK,
      BACK,
      ESC,
    );
    await using session = await openMcpSession(sandbox, { reply });
    expect(await session.type("/mcp add")).toBe("Cancelled. /mcp add continues where you left off.");
    const seen = session.screen.asked.map(({ title, initial, complaint }) => [
      title.slice(0, 12),
      initial,
      complaint,
    ]);
    expect(seen).toEqual([
      ["What is the ", "", undefined],
      ["What is the ", "", "Server name can only contain letters, numbers, dash, underscore and dot"],
      [
        "What is the ",
        "",
        `Server "taken" already exists in ${join(sandbox.home, ".plugboard", "mcp.json")}`,
      ],
      ["How do you c", "stdio", undefined],
      ["What is the ", "", undefined],
      ["What is the ", "", "Enter an http or https URL."],
      ["How do you c", "http", undefined],
      ["Which comman", "", undefined],
      ["Which comman", "", "Unclosed quote: '"],
      ["Testing conn", undefined, undefined],
      ["Could not co", "again", undefined],
      ["Which comman", "x", undefined],
      ["How do you c", "stdio", undefined],
      ["What is the ", "files", undefined],
    ]);
  });

  test("writes nothing if it is cancelled at any step, and keeps the input for the next time", async () => {
    await using sandbox = await createSandbox();
    const replies = [
      "files",
      "stdio",
      "/nowhere/at-all",
      AWAY,
      "key",
      "API_KEY",
      "vault",
      "s3cr3t",
      AWAY,
      "on",
      "user",
    ];
    for (let length = 0; length <= replies.length; length += 1) {
      const before = await filesOf(sandbox);
      const reply = inOrder(...replies.slice(0, length), ESC, ESC, ESC);
      await using session = await openMcpSession(sandbox, { reply });
      await session.type("/mcp add");
      expect(await filesOf(sandbox)).toEqual(before);
      expect(session.host.servers()).toEqual([]);
      expect(await session.host.secrets.list()).toEqual([]);
      const asked = session.screen.asked.length;
      await session.begin("/mcp add");
      expect(session.screen.asked[asked]?.initial).toBe(length === 0 ? "" : "files");
    }
  });

  test("keeps a key that did not help, unless the user continues without it", async () => {
    await using sandbox = await createSandbox();
    const until = [
      "files",
      "stdio",
      "/nowhere/at-all",
      AWAY,
      "key",
      "API_KEY",
      "vault",
      "s3cr3t",
      AWAY,
    ] as const;
    for (const [choice, lines] of [
      ["on", 1],
      ["none", 0],
    ] as const) {
      const reply = inOrder(...until, choice, "user", ESC);
      await using session = await openMcpSession(sandbox, { reply });
      await session.type("/mcp add");
      const summary = session.screen.asked.at(-1)?.lines ?? [];
      expect(summary.filter((line) => line.includes("API_KEY"))).toHaveLength(lines);
    }
  });

  test("stores a key in the vault and passes it as a variable of the program", async () => {
    await using sandbox = await createSandbox();
    const reply = inOrder(
      "files",
      "stdio",
      commandLine,
      AWAY,
      "user",
      "key",
      "API_KEY",
      "vault",
      " ",
      "!s3cr3t",
      AWAY,
      "user",
      "add",
    );
    await using session = await openMcpSession(sandbox, { reply });
    expect(await session.type("/mcp add")).toMatch(/● files connected · \d+ tools added$/);
    expect(await nativeFile(sandbox, "home")).toEqual({
      mcpServers: {
        files: {
          type: "stdio",
          command: tools.command,
          args: tools.args,
          env: { API_KEY: "keychain:files" },
        },
      },
    });
    expect(await session.host.secrets.read("files")).toBe("!s3cr3t");
    expect(session.screen.asked.find(({ title }) => title === "Enter the key")).toMatchObject({
      isHidden: true,
    });
    expect(
      JSON.stringify([session.screen.printed(), session.screen.asked.map(({ lines }) => lines)]),
    ).not.toContain("s3cr3t");
  });

  test("sends a key from a variable as a header to a remote server", async () => {
    await using sandbox = await createSandbox();
    await using server = await startHttpServer(["--require-header", "x-api-key=abc"]);
    const reply = inOrder(
      "web",
      "http",
      server.url,
      AWAY,
      "key",
      "X-Api-Key",
      "variable",
      "UNSET",
      "WEB_KEY",
      AWAY,
      "project",
      "add",
    );
    await using session = await openMcpSession(sandbox, { reply, env: { ...sandbox.env(), WEB_KEY: "abc" } });
    expect(await session.type("/mcp add")).toMatch(/● web connected · \d+ tools added$/);
    expect(await nativeFile(sandbox, "project")).toEqual({
      mcpServers: { web: { type: "http", url: server.url, headers: { "X-Api-Key": "${WEB_KEY}" } } },
    });
    expect(session.screen.asked).toContainEqual(
      expect.objectContaining({
        complaint: "$UNSET is not set. Set it and restart Plugboard, or choose another variable.",
      }),
    );
  });

  test("signs in to a remote server after it is added, with pasted text", async () => {
    await using sandbox = await createSandbox();
    await using server = await startOauthServer();
    const paste = async (): Promise<string> => {
      const [url = ""] = /http:\/\/127\.0\.0\.1:\d+\/auth\?\S+/.exec(session.screen.printed()) ?? [];
      return browse(url, new URL(url).searchParams.get("redirect_uri") ?? "");
    };
    const reply = inOrder("notes", "http", server.url, AWAY, "signIn", "user", "add", paste);
    await using session = await openMcpSession(sandbox, { reply });
    expect(await session.type("/mcp add")).toMatch(/● notes connected · \d+ tools added$/);
    expect(session.screen.asked.at(4)).toMatchObject({
      title: "The server requires authentication.",
      initial: "signIn",
    });
    expect((await session.host.signIns.list())[0]).toMatchObject({ url: server.url, state: "signed-in" });
  });

  test("Esc cancels a slow test, not the wizard", async () => {
    await using sandbox = await createSandbox();
    const mute = `'${process.execPath}' -e 'process.stdin.resume()'`;
    const reply = inOrder("mute", "stdio", mute, ESC, "change", BACK, ESC);
    await using session = await openMcpSession(sandbox, { reply });
    await session.type("/mcp add");
    expect(session.screen.asked.at(4)).toMatchObject({ lines: ["The test was cancelled."] });
    expect(session.screen.asked.at(5)).toMatchObject({
      title: "Which command starts the server?",
      initial: mute,
    });
  });
});

test("for any answers, every question shows its last answer", async () => {
  const values = fc.oneof(
    fc.constant(BACK),
    fc.nat(),
    fc.nat(),
    fc.nat(),
    fc.nat(),
    fc.nat(),
    fc.nat(),
    fc.nat(),
  );
  const trials = fc.array(fc.constantFrom("works", "signIn", "failed"), { minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.array(values, { maxLength: 60 }), trials, async (picks, outcomes) => {
      const said = new Map<string, unknown>();
      const left = [...picks];
      const reply = ({ kind, title, choices, initial, complaint }: Asked): unknown => {
        if (
          complaint === undefined &&
          said.has(title) &&
          !/^(?:Could not connect|The server requires|Add )/.test(title)
        )
          expect(initial).toBe(said.get(title));
        const pick = left.shift();
        if (pick === undefined) return ESC;
        if (typeof pick !== "number") return pick;
        const value = kind === "choose" ? choices[pick % choices.length]?.value : `v${pick}`;
        said.set(title, value);
        return value;
      };
      const { dialogs, style } = createScriptedScreen(reply);
      const context: WizardContext = {
        dialogs,
        style,
        host: { servers: () => [], config: { checkName: () => undefined } },
        hasVariable: () => true,
        signal: new AbortController().signal,
      };
      const { step } = await runWizard(beginWizard(), context, async () => {
        const kind = outcomes.shift() ?? "works";
        return kind === "works"
          ? { kind, server: "x", tools: [] }
          : { kind: kind as "failed", message: "no" };
      });
      expect(["done", "left"]).toContain(step);
    }),
    { numRuns: 200 },
  );
});
