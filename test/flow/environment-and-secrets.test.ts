import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { statusOf } from "../../src/compat/index.ts";
import type { Host, HostOptions } from "../../src/index.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { eventsOf, hostErrorOf, hostIn } from "./host-in.ts";

describe("a server's environment", () => {
  const variables = { PARENT_SECRET: "of the parent", LANG: "C.UTF-8", HTTPS_PROXY: "http://proxy:1" };
  const seenBy = async (host: Host, name: string): Promise<string> =>
    (await host.call("tools", "env", { name })).text;

  test("contains what it declares and what every program needs, and nothing else of the parent's", async () => {
    await using sandbox = await createSandbox();
    const tools = stdioServer("tools-server.mjs", [], { DECLARED: "yes", LANG: "of its own" });
    const env = { ...sandbox.env(), ...variables };
    await using host = await hostIn(sandbox, { env, servers: { tools } });
    expect({
      secret: await seenBy(host, "PARENT_SECRET"),
      declared: await seenBy(host, "DECLARED"),
      language: await seenBy(host, "LANG"),
      proxy: await seenBy(host, "HTTPS_PROXY"),
      home: await seenBy(host, "HOME"),
    }).toEqual({
      secret: "(unset)",
      declared: "yes",
      language: "of its own",
      proxy: "http://proxy:1",
      home: sandbox.home,
    });
  });

  test("contains the proxy with its credentials, which are never shown", async () => {
    await using sandbox = await createSandbox();
    const proxy = "http://me:proxypw99@127.0.0.1:1";
    const script = 'test "$HTTP_PROXY" = "$EXPECTED" && echo "same: $HTTP_PROXY" >&2; exit 3';
    const given = { command: "sh", args: ["-c", script], env: { EXPECTED: "http://me:${PART}@127.0.0.1:1" } };
    const env = { ...sandbox.env(), HTTP_PROXY: proxy, PART: "proxypw99" };
    const plain = { command: "sh", args: ["-c", 'echo "proxy $HTTP_PROXY" >&2; exit 3'] };
    await using host = await hostIn(sandbox, { env, servers: { given, plain } });
    const error = await hostErrorOf(host.call("plain", "x"));
    expect(inspect([error, statusOf(host), await host.doctor.logs("plain")], { depth: 9 })).not.toContain(
      "proxypw99",
    );
    expect(inspect(error)).toContain("proxy http://me:[secret]@127.0.0.1:1");
    expect(inspect(await hostErrorOf(host.call("given", "x")))).toContain("same: ");
  });

  test.each([
    ["everything", true],
    ["a variable by name", ["PARENT_SECRET"]],
  ])("contains %s if its entry asks for that", async (_, inheritEnv) => {
    await using sandbox = await createSandbox();
    const tools = { ...stdioServer("tools-server.mjs"), inheritEnv };
    const env = { ...sandbox.env(), ...variables };
    await using host = await hostIn(sandbox, { env, servers: { tools } });
    expect(await seenBy(host, "PARENT_SECRET")).toBe("of the parent");
  });

  test("contains the values of variables that its entry names", async () => {
    await using sandbox = await createSandbox();
    const declared = { ONE: "<${PARENT_SECRET}>", TWO: "${NOT_THERE:-fallback}", THREE: "${NOT_THERE}" };
    const tools = stdioServer("tools-server.mjs", [], declared);
    const env = { ...sandbox.env(), ...variables };
    await using host = await hostIn(sandbox, { env, servers: { tools } });
    const events = eventsOf(host);
    expect([await seenBy(host, "ONE"), await seenBy(host, "TWO"), await seenBy(host, "THREE")]).toEqual([
      "<of the parent>",
      "fallback",
      "(unset)",
    ]);
    expect(events.filter(({ type }) => type === "problem")).toMatchObject([
      {
        problem: {
          code: "value-unresolved",
          severity: "warning",
          message: expect.stringContaining("${NOT_THERE}"),
          server: "tools",
        },
      },
    ]);
  });
});

test("an unset variable stays as written, except in env and headers", async () => {
  await using sandbox = await createSandbox();
  const servers = {
    command: { command: "${NOT_THERE}-server" },
    folder: { ...stdioServer("tools-server.mjs"), cwd: "/${NOT_THERE}" },
  };
  await using host = await hostIn(sandbox, { servers });
  expect((await hostErrorOf(host.connect("command"))).message).toBe(
    'Failed to connect to "command": command "${NOT_THERE}-server" was not found',
  );
  expect((await hostErrorOf(host.connect("folder"))).message).toBe(
    'Failed to connect to "folder": the working folder /${NOT_THERE} does not exist',
  );
});

test("a server runs in its `cwd`, or else in the host's", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject("sub/file", "");
  const tools = stdioServer("tools-server.mjs");
  await using host = await hostIn(sandbox, {
    servers: { here: tools, below: { ...tools, cwd: "sub" }, away: { ...tools, cwd: sandbox.home } },
  });
  const folders = await Promise.all(["here", "below", "away"].map((name) => host.call(name, "cwd")));
  expect(folders.map(({ text }) => text)).toEqual([sandbox.project, `${sandbox.project}/sub`, sandbox.home]);
});

test("a server runs in its file's folder if its tool resolves paths from there", async () => {
  await using sandbox = await createSandbox();
  const tools = stdioServer("tools-server.mjs");
  await sandbox.writeHome(".mcporter/sub/file", "");
  await sandbox.writeHome(".mcporter/mcporter.json", {
    mcpServers: { below: { ...tools, cwd: "sub" }, here: tools },
  });
  await using host = await hostIn(sandbox);
  const folders = await Promise.all(["below", "here"].map((name) => host.call(name, "cwd")));
  expect(folders.map(({ text }) => text)).toEqual([
    `${sandbox.home}/.mcporter/sub`,
    `${sandbox.home}/.mcporter`,
  ]);
});

describe("a secret is in no message, event or snapshot", () => {
  const SECRET = "hunter2-hunter2-hunter2";

  /** Returns everything that a program could print about a host whose server fails. */
  async function everythingSaid(
    options: HostOptions,
    prepare: (sandbox: Sandbox) => Promise<unknown> = async () => {},
  ): Promise<string> {
    await using sandbox = await createSandbox();
    await prepare(sandbox);
    const lines: string[] = [];
    const log = {
      log: (level: string, event: string, fields = {}) =>
        void lines.push(`${level} ${event} ${inspect(fields)}`),
    };
    const env = { ...sandbox.env(), MY_TOKEN: SECRET };
    await using host = await hostIn(sandbox, { ...options, env, log });
    const events = eventsOf(host);
    const error = await hostErrorOf(host.call("leaky", "echo", { text: "hi" }));
    const said = [
      error.message,
      error.hint,
      JSON.stringify(error),
      JSON.stringify(events),
      JSON.stringify(host.snapshot()),
      JSON.stringify(host.servers({ all: true })),
      ...lines,
    ];
    return said.join("\n");
  }

  test.each([
    [
      "an env value that the server prints",
      { env: { KEY: SECRET } },
      "console.error('bad', process.env.KEY)",
    ],
    ["an env value from a variable", { env: { KEY: "${MY_TOKEN}" } }, "console.error(process.env.KEY)"],
    ["an argument from a variable", { args: ["${MY_TOKEN}"] }, "console.error(process.argv.at(-1))"],
  ])(
    "%s in the output of a server that ends",
    async (_, { args = [], ...fields }: { args?: string[]; env?: Record<string, string> }, script) => {
      const leaky = {
        command: process.execPath,
        args: ["-e", `${script}; process.exit(1)`, "--", ...args],
        ...fields,
      };
      const said = await everythingSaid({ servers: { leaky } });
      expect(said).toContain("[secret]");
      expect(said).not.toContain(SECRET);
    },
  );

  test.each([
    [".cursor/mcp.json", "${env:MY_TOKEN}", (leaky: object) => ({ mcpServers: { leaky } })],
    [".gemini/settings.json", "$MY_TOKEN", (leaky: object) => ({ mcpServers: { leaky } })],
  ])("an argument from a variable in the syntax of %s", async (file, argument, content) => {
    const args = ["-e", "console.error(process.argv.at(-1)); process.exit(1)", "--", argument];
    const leaky = { command: process.execPath, args };
    const said = await everythingSaid({}, (sandbox) => sandbox.writeHome(file, content(leaky)));
    expect(said).toContain("[secret]");
    expect(said).not.toContain(SECRET);
  });

  test.each([
    ["a header", "/mcp", { Authorization: `Bearer ${SECRET}` }],
    ["a header from a variable", "/mcp", { Authorization: "Bearer ${MY_TOKEN}" }],
    ["a query parameter", `/mcp?api_key=${SECRET}`, {}],
    ["a path from a variable", "/mcp/${MY_TOKEN}", {}],
  ])("%s of a URL that refuses requests", async (_, path, headers) => {
    for (const status of [401, 403, 404, 500]) {
      await using server = await serveHttp({ name: "x", version: "1" }, { guard: () => status });
      const url = `${new URL(server.url).origin}${path}`;
      const said = await everythingSaid({ servers: { leaky: { type: "http", url, headers } } });
      expect(said).toContain(`HTTP ${status}`);
      expect(said).not.toContain(SECRET);
    }
  });

  test("a password in an unusable URL", async () => {
    const leaky = { type: "http", url: `http://me:${SECRET}@127.0.0.1:1/mcp` } as const;
    const said = await everythingSaid({ servers: { leaky } });
    expect(said).toContain("Failed to connect");
    expect(said).not.toContain(SECRET);
  });

  test("a header that a tool repeats in an error", async () => {
    let seen = "";
    await using server = await serveHttp(
      { name: "x", version: "1", tools: { echo: { run: () => Promise.reject(new Error("no")) } } },
      {
        guard: ({ headers }) => {
          seen = headers.authorization ?? "";
          return undefined;
        },
      },
    );
    await using sandbox = await createSandbox();
    const headers = { Authorization: `Bearer ${SECRET}` };
    await using host = await hostIn(sandbox, {
      servers: { leaky: { type: "http", url: server.url, headers } },
    });
    expect(await host.call("leaky", "echo")).toMatchObject({ isError: true, text: "no" });
    expect(seen).toBe(`Bearer ${SECRET}`);
    expect(JSON.stringify(host.snapshot())).not.toContain(SECRET);
  });
});
