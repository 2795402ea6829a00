import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { statusOf } from "../../src/compat/index.ts";
import type { Host, LocalServerOptions, RemoteServerOptions, ServerOptions } from "../../src/index.ts";
import { startHostileServer } from "../auth/hostile-server.ts";
import { isWhole, LONGEST_MS, reportTests } from "../durability/counts.ts";
import { eventsOf, hostIn } from "../flow/host-in.ts";
import { browse } from "../support/oauth-server.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

reportTests("values of every source, position and length: never shown");

/** Values of each length. No other text contains them, as a word or otherwise. */
const VALUES = { 2: "q7", 4: "q7zk", 5: "q7zkw", 40: "q7zkw-made-up-for-this-test-0123456789-xy" } as const;

/** Returns whether a text contains one of the values as a word, ignoring case. */
function leaksIn(text: string): string[] {
  const found = text.matchAll(/(?<![A-Za-z0-9])q7(?:zkw?(?:-made-up[\w-]*)?)?(?![A-Za-z0-9])/gi);
  return [...found].map(({ index }) => text.slice(Math.max(0, index - 120), index + 40));
}

const DIES = ["-e", "process.exit(3)", "--"];

/** A server for each position that a placeholder can be in. None of them repeats what it received. */
function positions(placeholder: string, port: number): Record<string, ServerOptions> {
  const http = (url: string, more: Partial<RemoteServerOptions> = {}): ServerOptions => ({
    type: "http",
    url,
    oauth: false,
    startupTimeout: 4000,
    ...more,
  });
  const stdio = (more: Partial<LocalServerOptions>): ServerOptions => ({
    type: "stdio",
    command: process.execPath,
    args: DIES,
    startupTimeout: 4000,
    ...more,
  });
  const refused = "http://127.0.0.1:1";
  const answering = `http://127.0.0.1:${port}`;
  return {
    url: http(placeholder),
    host: http(`http://${placeholder}.invalid/mcp`),
    path: http(`${refused}/${placeholder}/mcp`),
    "path-status": http(`${answering}/${placeholder}/mcp`),
    "path-redirect": http(`${answering}/redirect/${placeholder}/mcp`),
    "path-page": http(`${answering}/page/${placeholder}`),
    query: http(`${refused}/mcp?area=${placeholder}`),
    "query-status": http(`${answering}/mcp?area=${placeholder}`),
    userinfo: http(`http://${placeholder}@127.0.0.1:1/mcp`),
    password: http(`http://me:${placeholder}@127.0.0.1:1/mcp`),
    header: http(`${answering}/mcp`, { headers: { "X-Area": placeholder } }),
    argument: stdio({ args: [...DIES, placeholder] }),
    flag: stdio({ args: [...DIES, `--area=${placeholder}`] }),
    env: stdio({ env: { AREA: placeholder } }),
    cwd: stdio({ cwd: placeholder }),
    "cwd-below": stdio({ cwd: `/nowhere/${placeholder}` }),
    command: stdio({ command: placeholder, args: [] }),
    "command-path": stdio({ command: `/nowhere/${placeholder}/x`, args: [] }),
    wrap: stdio({ wrap: [placeholder] }),
    package: stdio({
      command: "npx",
      args: ["-y", `@acme/${placeholder}`],
      env: { npm_config_registry: refused, npm_config_fetch_retries: "0" },
      startupTimeout: 60_000,
    }),
    module: stdio({ args: ["-r", placeholder, ...DIES] }),
    "uv-program": stdio({ command: "uv", args: ["run", "--project", `/nowhere/${placeholder}`, "src"] }),
    "sandbox-folder": stdio({ cwd: `./${placeholder}`, sandbox: { write: ["."] } }),
    "env-file": stdio({ envFile: `/nowhere/${placeholder}.env` } as Partial<LocalServerOptions>),
    "token-url": http(`${answering}/mcp`, {
      oauth: {
        grantType: "client_credentials",
        clientId: "me",
        clientSecret: "x",
        tokenUrl: `${refused}/${placeholder}`,
      },
    }),
  };
}

/** Answers 404, a redirect to another origin that repeats the path, or a web page. */
async function startAnswering() {
  const server = createServer((request, response) => {
    const { url = "" } = request;
    if (url.startsWith("/redirect/"))
      return void response.writeHead(307, { location: `http://localhost:9${url}?from=${url}` }).end();
    if (url.startsWith("/page/"))
      return void response.writeHead(200, { "content-type": "text/html" }).end("<p>");
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const whole = (value: unknown): string =>
  inspect(value, { depth: 20, maxArrayLength: null, showHidden: true });

/** Returns everything that a program learns about a server. */
async function shownBy(host: Host, name: string): Promise<string[]> {
  const views: (() => unknown)[] = [
    () => host.doctor.test(name),
    () => host.call(name, "x"),
    () => host.signIns.login(name, { browser: false, onSignIn: () => "no" }),
    () => host.doctor.logs(name),
    () => host.config.explain(name),
    () => host.approvals.inspect(name),
    () => host.doctor.checkValues(name),
    () => host.doctor.checkPrograms(name),
    () => host.config.planExport({ tool: "cursor", names: [name] }),
  ];
  const said: string[] = [];
  for (const view of views) said.push(await Promise.resolve().then(view).then(whole, whole));
  return [...said, whole(host.approvals.request(name)), whole(host.doctor.diagnose(name))];
}

async function leaksOf(
  sandbox: Sandbox,
  servers: Record<string, ServerOptions>,
  env: Record<string, string>,
): Promise<Record<string, string[]>> {
  const lines: string[] = [];
  const log = { log: (...words: unknown[]) => void lines.push(whole(words)) };
  const leaks: Record<string, string[]> = {};
  const note = (name: string, texts: readonly string[]): void => {
    const found = texts.flatMap(leaksIn);
    if (found.length > 0) leaks[name] = found;
  };
  await using host = await hostIn(sandbox, { env: { ...sandbox.env(), ...env }, servers, log });
  const events = eventsOf(host);
  const names = Object.keys(servers);
  await Promise.all(names.map(async (name) => note(name, await shownBy(host, name))));
  note(
    "all",
    [host.snapshot(), host.servers({ all: true }), statusOf(host), await host.signIns.list()].map(whole),
  );
  note("events", events.map(whole));
  note("log", lines);
  return leaks;
}

describe("the value of a variable is never shown, in any position", () => {
  test.each(Object.entries(VALUES))(
    "with %s characters: %s",
    async (_, value) => {
      await using sandbox = await createSandbox();
      await using server = await startAnswering();
      const servers = positions("${AREA}", server.port);
      expect(await leaksOf(sandbox, servers, { AREA: value })).toEqual({});
    },
    LONGEST_MS,
  );
});

describe("a value from a command, a file or the vault is never shown", () => {
  test.each(Object.entries(VALUES))(
    "with %s characters: %s",
    async (_, value) => {
      await using sandbox = await createSandbox();
      await using server = await startAnswering();
      const file = await sandbox.writeHome("value.txt", value);
      const envFile = await sandbox.writeHome("values.env", `AREA=${value}\n`);
      const helper = await sandbox.writeHome("headers.json", JSON.stringify({ "X-Area": value }));
      const sources = {
        command: `!cat ${file}`,
        file: `file:${file}`,
        vault: "keychain:area",
        inside: "a ${keychain:area} b",
        name: "AREA",
      };
      const url = `http://127.0.0.1:${server.port}/mcp`;
      const servers: Record<string, ServerOptions> = {
        "env-file": { type: "stdio", command: process.execPath, args: DIES, envFile } as ServerOptions,
        helper: { type: "http", url, headersHelper: `cat ${helper}` } as ServerOptions,
      };
      for (const [name, source] of Object.entries(sources)) {
        servers[`env-${name}`] = {
          type: "stdio",
          command: process.execPath,
          args: DIES,
          env: { AREA_NOW: source },
        };
        servers[`header-${name}`] = { type: "http", url, headers: { "X-Area": source } };
        servers[`authorization-${name}`] = { type: "http", url, headers: { Authorization: source } };
      }
      {
        await using host = await hostIn(sandbox);
        await host.secrets.store("area", value);
      }
      expect(await leaksOf(sandbox, servers, { AREA: value })).toEqual({});
    },
    LONGEST_MS,
  );

  test.each(Object.entries(VALUES))(
    "even if another tool's file names a file in every field, with %s characters",
    async (_, value) => {
      await using sandbox = await createSandbox();
      await using server = await startAnswering();
      await sandbox.writeHome("value.txt", value);
      const local = (command: string[], more = {}) => ({ type: "local", command, enabled: true, ...more });
      const remote = (url: string, headers = {}) => ({
        type: "remote",
        url,
        headers,
        enabled: true,
        oauth: false,
      });
      const named = "{file:~/value.txt}";
      await sandbox.writeHome(".config/opencode/opencode.json", {
        mcp: {
          command: local([named]),
          argument: local([process.execPath, ...DIES, `--area=${named}`, named]),
          env: local([process.execPath, ...DIES], { environment: { AREA: named } }),
          url: remote(named),
          path: remote(`http://127.0.0.1:1/${named}/mcp`),
          status: remote(`http://127.0.0.1:${server.port}/${named}/mcp?area=${named}`),
          header: remote(`http://127.0.0.1:${server.port}/mcp`, { "X-Area": named }),
        },
      });
      await using host = await hostIn(sandbox);
      const names = host.servers().map(({ name }) => name);
      expect(names).toHaveLength(7);
      for (const name of names)
        expect([name, (await shownBy(host, name)).flatMap(leaksIn)]).toEqual([name, []]);
    },
    LONGEST_MS,
  );
});

test.each(Object.entries(VALUES))(
  "a value that Goose's envs provide for a URL or a header is never shown, with %s characters",
  async (_, value) => {
    await using sandbox = await createSandbox();
    await using server = await startAnswering();
    const remote = (uri: string, header: string): string =>
      `{ type: streamable_http, enabled: true, uri: "${uri}", headers: { X-Area: "${header}" }, envs: { AREA: "${value}" } }`;
    await sandbox.writeHome(
      ".config/goose/config.yaml",
      `extensions:
  path: ${remote("http://127.0.0.1:1/${AREA}/mcp", "a")}
  bare: ${remote("http://127.0.0.1:1/$AREA/mcp", "a")}
  status: ${remote(`http://127.0.0.1:${server.port}/\${AREA}/mcp?area=\${AREA}`, "a")}
  header: ${remote(`http://127.0.0.1:${server.port}/mcp`, "${AREA}")}
`,
    );
    await using host = await hostIn(sandbox);
    const names = host.servers().map(({ name }) => name);
    expect(names).toHaveLength(4);
    for (const name of names) {
      const said = [host.doctor.test(name), host.call(name, "x"), host.config.explain(name)];
      const texts = await Promise.all(said.map((each) => each.then(whole, whole)));
      expect([name, [...texts, whole(host.snapshot())].flatMap(leaksIn)]).toEqual([name, []]);
    }
  },
  LONGEST_MS,
);

test(
  "no command prints a resolved value, however short, with or without --json",
  async () => {
    await using sandbox = await createSandbox();
    await using server = await startAnswering();
    const env = { AREA: VALUES[2] };
    const servers = positions("${AREA}", server.port);
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: servers });
    await sandbox.writeProject(".mcp.json", {
      mcpServers: { theirs: { command: "${AREA}", args: ["${AREA}"], env: { A: "${AREA}" } } },
    });
    const runs = [
      ["list", "--all"],
      ["status"],
      ["doctor"],
      ["tools"],
      ["trust", "theirs"],
      ["export", "cursor"],
      ["auth", "status"],
    ].flatMap((words) => [words, [...words, "--json"], [...words, "--verbose"]]);
    for (const [index, name] of Object.keys(servers).entries()) {
      const started = [
        ["test", name, "--json"],
        ["logs", name],
      ];
      const called = [
        ["call", name, "x", "--verbose"],
        ["explain", name],
      ];
      // The score runs all four for each position.
      if (isWhole) runs.push(...started, ...called);
      else runs.push(...(index % 2 === 0 ? started : called));
    }
    for (const words of runs) {
      const { stdout, stderr } = await runCli(words, { sandbox, env });
      expect([words, ...leaksIn(stdout + stderr)]).toEqual([words]);
    }
  },
  4 * LONGEST_MS,
);

describe("a sign-in", () => {
  test.each([4, 5, 40] as const)(
    "shows neither its token of %s characters, which the server repeats, nor the values in its URL",
    async (length) => {
      await using sandbox = await createSandbox();
      const token = VALUES[length];
      await using server = await startHostileServer({
        challenge: (base) =>
          `Bearer error="invalid_token", error_description="not ${token}", resource_metadata="${base}/resource"`,
        token: (document) => ({ ...document, access_token: token, refresh_token: `${token}-again` }),
      });
      const notes = { type: "http", url: `${server.base}/\${AREA}`, oauth: { clientId: "${CLIENT}" } };
      await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { notes } });
      const env = { ...sandbox.env(), AREA: "mcp", CLIENT: "q7zk" };
      const said: string[] = [];
      {
        await using host = await hostIn(sandbox, { env });
        const events = eventsOf(host);
        const view = await host.signIns.login("notes", {
          browser: false,
          onSignIn: (url) => void browse(url),
        });
        expect([view.url, view.clientId]).toEqual([notes.url, "${CLIENT}"]);
        said.push(whole(view), ...(await shownBy(host, "notes")), whole(host.snapshot()), whole(events));
      }
      for (const words of [
        ["auth", "status"],
        ["auth", "status", "--json"],
        ["status", "--json"],
      ]) {
        const { stdout, stderr } = await runCli(words, { sandbox, env });
        said.push(stdout, stderr);
      }
      expect(said.flatMap(leaksIn)).toEqual([]);
      expect(said.join("\n")).not.toContain(server.url);
    },
    LONGEST_MS,
  );
});

test("a message shows the placeholder instead of the resolved value", async () => {
  await using sandbox = await createSandbox();
  const servers: Record<string, ServerOptions> = {
    url: { type: "http", url: "http://127.0.0.1:1/${AREA}/mcp" },
    command: { type: "stdio", command: "${AREA:-other}" },
    cwd: { type: "stdio", command: "node", cwd: "${AREA}" },
  };
  await using host = await hostIn(sandbox, { env: { ...sandbox.env(), AREA: "q7" }, servers });
  const messages = await Promise.all(
    Object.keys(servers).map((name) => host.connect(name).then(String, (error: Error) => error.message)),
  );
  expect(messages).toEqual([
    expect.stringContaining("http://127.0.0.1:1/${AREA}/mcp"),
    expect.stringContaining('"${AREA}"'),
    expect.stringContaining("${AREA}"),
  ]);
});

describe("folder and user variables are shown", () => {
  test("in messages, in the output of servers, and in stored logs", async () => {
    await using sandbox = await createSandbox();
    const says = "console.error(`in ${process.env.ROOT} and ${process.argv[1]}`); process.exit(3)";
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: {
        command: { type: "stdio", command: "${HOME}/gone" },
        cwd: { type: "stdio", command: "node", cwd: "${HOME}/${USER}" },
        says: {
          type: "stdio",
          command: process.execPath,
          args: ["-e", says, "${HOME}/argument"],
          env: { ROOT: "${HOME}", NAMED: "HOME", WHO: "${USER}" },
        },
      },
    });
    await sandbox.writeHome(".cursor/mcp.json", {
      mcpServers: {
        cursor: { command: process.execPath, args: ["-e", says], env: { ROOT: "${workspaceFolder}" } },
      },
    });
    await using host = await hostIn(sandbox, { env: { ...sandbox.env(), USER: "somebody" } });
    const messageOf = (name: string): Promise<string> =>
      host.connect(name).then(String, (error: Error) => error.message);
    expect(await messageOf("command")).toContain(`${sandbox.home}/gone`);
    expect(await messageOf("cwd")).toContain(`${sandbox.home}/somebody`);
    expect(await messageOf("says")).toContain(`in ${sandbox.home} and ${sandbox.home}/argument`);
    expect(await messageOf("cursor")).toContain(`in ${sandbox.project} and`);
    const [run] = await host.doctor.logs("says");
    expect(run?.lines[0]?.text).toBe(`in ${sandbox.home} and ${sandbox.home}/argument`);
  });

  test("even if another variable has the same folder", async () => {
    await using sandbox = await createSandbox();
    const says = "console.error(`in ${process.cwd()}/x`); process.exit(3)";
    const servers: Record<string, ServerOptions> = {
      a: {
        type: "stdio",
        command: process.execPath,
        args: ["-e", says, "${MY_PLACE}"],
        env: { A: "${MY_PLACE}" },
      },
    };
    await using host = await hostIn(sandbox, {
      env: { ...sandbox.env(), MY_PLACE: sandbox.project },
      servers,
    });
    const message = await host.connect("a").then(String, (error: Error) => error.message);
    expect(message).toContain(`in ${sandbox.project}/x`);
  });
});

test("a value of four or more characters is masked in a server's output where it is a whole word", async () => {
  await using sandbox = await createSandbox();
  const says =
    "console.error(`<${process.env.A}> x${process.env.A}x <${process.env.B}> true`); process.exit(3)";
  const servers: Record<string, ServerOptions> = {
    a: {
      type: "stdio",
      command: process.execPath,
      args: ["-e", says],
      env: { A: "${A}", B: "${B}", C: "${C}" },
    },
  };
  const env = { ...sandbox.env(), A: VALUES[4], B: VALUES[40], C: "true" };
  await using host = await hostIn(sandbox, { env, servers });
  const message = await host.connect("a").then(String, (error: Error) => error.message);
  expect(message).toContain(`<[secret]> x${VALUES[4]}x <[secret]> true`);
});
