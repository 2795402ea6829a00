import { describe, expect, test } from "vitest";
import { statusOf } from "../../src/compat/index.ts";
import { HostError, type SamplingAnswer, ToolAbortError } from "../../src/index.ts";
import { type ServerScript, serveHttp } from "../../src/testing/index.ts";
import { eventually, failureOf } from "../flow/host-in.ts";
import { openMcpSession } from "../support/mcp-session.ts";
import { browse, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox } from "../support/sandbox.ts";
import { AWAY, BACK, ESC, inOrder } from "../support/scripted-screen.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";

const tools = stdioServer("tools-server.mjs");
const asking = { asking: stdioServer("asking-server.mjs", ["--era", "modern"]) };
const SCRIPT: ServerScript = {
  name: "scripted",
  version: "1.0.0",
  tools: { write: { run: () => "wrote it" }, erase: { run: () => "erased it" } },
};

describe("a project's server that needs approval", () => {
  test("is shown completely, and runs after the user approves it", async () => {
    await using sandbox = await createSandbox();
    const theirs = { ...tools, env: { LD_PRELOAD: "evil\u001b[2Jso" } };
    await sandbox.writeProject(".mcp.json", { mcpServers: { theirs } });
    await using session = await openMcpSession(sandbox, { reply: inOrder(false, ESC, true) });
    for (let times = 0; times < 2; times += 1)
      expect(await failureOf(session.host.call("theirs", "echo", { text: "x" }))).toMatchObject({
        code: "INTERACTION_REQUIRED",
      });
    expect(await session.host.call("theirs", "echo", { text: "x" })).toMatchObject({ isError: false });
    const text = session.screen.printed();
    for (const word of [
      ...tools.args,
      tools.command,
      String.raw`evil\u001b[2Jso`,
      session.host.approvals.request("theirs").hash,
    ])
      expect(text).toContain(word);
    expect(text).toContain('"theirs" was not approved.');
    expect(session.screen.asked).toHaveLength(3);
    expect(session.screen.asked[0]).toMatchObject({
      initial: false,
      title: 'Allow "theirs" to run?',
    });
  });

  test("is reviewed after any other one, each question below its own launch", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".mcp.json", { mcpServers: { one: tools, two: tools } });
    const texts: string[] = [];
    const reply = (): boolean => {
      texts.push(session.screen.printed());
      return false;
    };
    await using session = await openMcpSession(sandbox, { reply });
    await Promise.allSettled([session.host.connect("one"), session.host.connect("two")]);
    const titles = session.screen.asked.map(({ title }) => /"(\w+)"/.exec(title)?.[1]);
    expect(titles.toSorted()).toEqual(["one", "two"]);
    for (const [index, text] of texts.entries())
      expect(text.lastIndexOf("wants to run:\n\n")).toBe(
        text.lastIndexOf(`wants to run:\n\n${titles[index]} from`),
      );
  });
});

describe("a call that requires approval", () => {
  test("can be allowed or denied once or for the session, and the rule is shown", async () => {
    await using sandbox = await createSandbox();
    await using server = closing(await serveHttp(SCRIPT));
    const servers = { repo: { type: "http", url: server.url, approval: "ask" } as const };
    const reply = inOrder("once", ESC, "always", "never");
    await using session = await openMcpSession(sandbox, { reply, servers });
    const call = (tool: string) =>
      session.host.call("repo", tool, {}).then(
        ({ text }) => text,
        () => "refused",
      );
    expect(await call("write")).toBe("wrote it");
    expect(await call("write")).toBe("refused");
    expect([await call("write"), await call("write")]).toEqual(["wrote it", "wrote it"]);
    expect([await call("erase"), await call("erase")]).toEqual(["refused", "refused"]);
    expect(session.screen.asked.map(({ title }) => title)).toEqual([
      "Call write?",
      "Call write?",
      "Call write?",
      "Call erase?",
    ]);
    expect(session.screen.asked[0]?.lines.join()).toContain("approval");
    expect(session.screen.printed()).toContain("? write of repo\n  │ {}");
  });

  test("removes its question if it is cancelled", async () => {
    await using sandbox = await createSandbox();
    await using server = closing(await serveHttp(SCRIPT));
    const servers = { repo: { type: "http", url: server.url, approval: "ask" } as const };
    await using session = await openMcpSession(sandbox, { reply: inOrder(AWAY, "once"), servers });
    const esc = new AbortController();
    const calling = session.host.call("repo", "write", {}, { signal: esc.signal });
    const ended = expect(calling).rejects.toBeInstanceOf(ToolAbortError);
    await eventually(() => expect(session.screen.asked).toHaveLength(1));
    esc.abort();
    await ended;
    expect(await session.host.call("repo", "write", {})).toMatchObject({ text: "wrote it" });
  });
});

describe("a sign-in", () => {
  const printedUrl = (text: string): string =>
    text.match(/http:\/\/127\.0\.0\.1:\d+\/auth\?\S+/g)?.at(-1) ?? "";

  test("ends when the browser is done, and the call continues", async () => {
    await using sandbox = await createSandbox();
    await using server = await startOauthServer();
    await using session = await openMcpSession(sandbox, {
      reply: inOrder(AWAY),
      servers: { notes: { type: "http", url: server.url } },
      ports: { browser: { open: async (url) => (void browse(url.href), true) } },
    });
    expect(await session.host.call("notes", "echo", { text: "hi" })).toMatchObject({ isError: false });
    expect(session.screen.printed()).toMatch(
      /^! "notes" requires sign-in\. Your browser should open the sign-in page. If it does not, open:\n {2}http/,
    );
  });

  test("is part of adding a server that requires it, without a browser if requested", async () => {
    await using sandbox = await createSandbox();
    await using server = await startOauthServer();
    const opened: string[] = [];
    const paste = async (): Promise<string> => {
      const url = printedUrl(session.screen.printed());
      return browse(url, new URL(url).searchParams.get("redirect_uri") ?? "");
    };
    await using session = await openMcpSession(sandbox, {
      reply: inOrder(paste),
      ports: { browser: { open: async (url) => opened.push(url.href) > 0 } },
    });
    const words = `--url ${server.url} --oauth --no-browser --account work --scope user`;
    const text = await session.type(`/mcp add notes ${words}`);
    expect(text).toMatch(/^\+ Added server "notes" to user config[^]*● notes connected · \d+ tools added$/);
    expect(await session.host.signIns.list()).toMatchObject([{ account: "work" }]);
    expect(opened).toEqual([]);
  });

  test("accepts pasted text in /mcp reauth, and /mcp unauth deletes it", async () => {
    await using sandbox = await createSandbox();
    await using server = await startOauthServer();
    await using open = await startHttpServer();
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: {
        notes: { type: "http", url: server.url },
        local: tools,
        open: { type: "http", url: open.url },
      },
    });
    const paste = async (): Promise<string> => {
      const url = printedUrl(session.screen.printed());
      return browse(url, new URL(url).searchParams.get("redirect_uri") ?? "");
    };
    await using session = await openMcpSession(sandbox, { reply: inOrder(ESC, "", paste) });
    expect(await session.type("/mcp reauth notes")).toMatch(/✗ The sign-in to "notes" was cancelled\./);
    expect(await session.type("/mcp unauth notes")).toBe('No stored OAuth auth to remove for "notes".');
    const text = await session.type("/mcp reauth notes");
    expect(text).toMatch(/^Reauthorizing "notes"\.\.\.\n[^]*✓ Reauthorized "notes" \(user config\)$/);
    expect(statusOf(session.host)["notes"]).toMatchObject({ status: "connected" });
    expect(await session.type("/mcp unauth notes")).toContain('- Cleared auth for "notes"');
    for (const name of ["local", "open"])
      expect(await session.type(`/mcp reauth ${name}`)).toBe(
        `Reauthorizing "${name}"...\nServer connection succeeded without OAuth; reauthorization is not required.`,
      );
  });
});

describe("a server's form", () => {
  test("is asked field by field, validated, reviewed and sent", async () => {
    await using sandbox = await createSandbox();
    const reply = inOrder("on", "", "Ann", "many", "41", BACK, "42", "red", ["s", "l"], "on");
    await using session = await openMcpSession(sandbox, { reply, servers: asking });
    const { text } = await session.host.call("asking", "form");
    expect(JSON.parse(text)).toEqual({ name: "Ann", age: 42, colour: "red", sizes: ["s", "l"] });
    expect(session.screen.printed()).toBe("? asking asks for information\n  │ Who are you?");
    const seen = session.screen.asked.map(({ title, initial, complaint }) => [title, initial, complaint]);
    expect(seen).toEqual([
      ['"asking" needs some information (4 fields)', undefined, undefined],
      ["Your name (1/4)", undefined, undefined],
      ["Your name (1/4)", undefined, "Your name is required."],
      ["age (2/4, optional)", "30", undefined],
      ["age (2/4, optional)", "30", "age must be a number."],
      ["colour (3/4, optional)", "green", undefined],
      ["age (2/4, optional)", "41", undefined],
      ["colour (3/4, optional)", "green", undefined],
      ["sizes (4/4, optional)", [], undefined],
      ["Send this to asking?", undefined, undefined],
    ]);
    expect(session.screen.asked.at(-1)?.lines).toEqual([
      "Your name: Ann",
      "age: 42",
      "colour: red",
      'sizes: ["s","l"]',
    ]);
  });

  test("skips optional fields", async () => {
    await using sandbox = await createSandbox();
    const reply = inOrder("on", "Ann", "30", "green", [], "on");
    await using session = await openMcpSession(sandbox, { reply, servers: asking });
    expect(JSON.parse((await session.host.call("asking", "form")).text)).toEqual({
      name: "Ann",
      age: 30,
      colour: "green",
    });
  });

  test.each([
    ["decline at once", ["decline"], "decline"],
    ["decline after looking it over", ["on", "Ann", "1", "red", [], "decline"], "decline"],
    ["cancel at once", [ESC], "cancel"],
    ["cancel in the middle", ["on", "Ann", ESC], "cancel"],
  ])("tells %s", async (_, replies, action) => {
    await using sandbox = await createSandbox();
    await using session = await openMcpSession(sandbox, { reply: inOrder(...replies), servers: asking });
    expect(JSON.parse((await session.host.call("asking", "form")).text)).toEqual({ action });
  });

  test("is removed when the request is cancelled", async () => {
    await using sandbox = await createSandbox();
    await using session = await openMcpSession(sandbox, { reply: inOrder(AWAY, "decline"), servers: asking });
    const esc = new AbortController();
    const calling = session.host.call("asking", "form", {}, { signal: esc.signal });
    const ended = expect(calling).rejects.toBeInstanceOf(ToolAbortError);
    await eventually(() => expect(session.screen.asked).toHaveLength(1));
    esc.abort();
    await ended;
    expect(JSON.parse((await session.host.call("asking", "form")).text)).toEqual({ action: "decline" });
  });
});

describe("a server's page", () => {
  test.each([
    ["open", "accept", ["https://example.com/sign-in"]],
    ["opened", "accept", []],
    ["decline", "decline", []],
    [ESC, "cancel", []],
  ])("is opened only after the user agrees: %s", async (said, action, expected) => {
    await using sandbox = await createSandbox();
    const opened: string[] = [];
    const browser = { open: async (url: URL) => opened.push(url.href) > 0 };
    const reply = (): unknown => {
      expect(opened).toEqual([]);
      return said;
    };
    await using session = await openMcpSession(sandbox, { reply, servers: asking, ports: { browser } });
    const { text } = await session.host.call("asking", "page");
    expect(JSON.parse(text)).toEqual({ action });
    expect(opened).toEqual(expected);
    expect(session.screen.printed()).toBe(
      "? asking asks you to open a page\n  │ Please sign in\n  https://example.com/sign-in",
    );
    expect(session.screen.asked[0]).toMatchObject({
      title: "Open a page on example.com?",
      initial: "decline",
    });
  });
});

describe("a server that requests a model's answer", () => {
  const answer: SamplingAnswer = { content: { type: "text", text: "Two\u001b[2J." }, model: "big" };

  test("gets it after the user approved the request and the answer", async () => {
    await using sandbox = await createSandbox();
    const reply = inOrder("yes", "yes");
    await using session = await openMcpSession(sandbox, {
      reply,
      servers: asking,
      complete: async () => answer,
    });
    expect((await session.host.call("asking", "model")).text).toContain("Two");
    expect(session.screen.printed()).toBe(
      "? asking requests an answer from your model\n  │ at most 10 tokens · tools add\n  │ [user] What is 1 + 1?\nAnswer from big for asking:\n  │ Two\\x1b[2J.",
    );
    expect(session.screen.asked.map(({ title, initial }) => [title, initial])).toEqual([
      ["Allow asking to use your model?", "no"],
      ["Send this to asking?", "no"],
    ]);
  });

  test.each([
    ["before", ["no"], 0],
    ["after", ["yes", ESC], 1],
  ])("does not get it if the user refuses %s", async (_, replies, calls) => {
    await using sandbox = await createSandbox();
    let made = 0;
    const complete = async (): Promise<SamplingAnswer> => {
      made += 1;
      return answer;
    };
    await using session = await openMcpSession(sandbox, {
      reply: inOrder(...replies),
      servers: asking,
      complete,
    });
    const result = await session.host.call("asking", "model").then(({ text }) => text, String);
    expect(result).not.toContain("Two");
    expect(made).toBe(calls);
  });

  test("does not get it if the model fails, and the user gets advice", async () => {
    await using sandbox = await createSandbox();
    const complete = async (): Promise<never> => {
      throw new HostError("MODEL_UNKNOWN", "No model is set up:", { hint: "export A_KEY=…\nor another" });
    };
    await using session = await openMcpSession(sandbox, { reply: inOrder("yes"), servers: asking, complete });
    await session.host.call("asking", "model").catch(() => undefined);
    expect(session.screen.printed()).toContain("No model is set up:\n  export A_KEY=…\n  or another");
  });

  test("is refused if there is no model, and the user is informed", async () => {
    await using sandbox = await createSandbox();
    await using session = await openMcpSession(sandbox, { servers: asking });
    await session.host.call("asking", "model").catch(() => undefined);
    expect(session.screen.printed()).toBe(
      "! asking requested an answer from a model, but no model is configured.",
    );
  });
});

function closing(server: {
  readonly url: string;
  close(): Promise<void>;
}): AsyncDisposable & { readonly url: string } {
  return { url: server.url, [Symbol.asyncDispose]: () => server.close() };
}
