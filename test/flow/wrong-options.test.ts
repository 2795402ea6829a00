import { describe, expect, test } from "vitest";
import { z } from "zod";
import { discoverAndLoadMCPTools } from "../../src/compat/index.ts";
import { createHost, type ServerOptions } from "../../src/index.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

const created = async (options: object): Promise<unknown> => {
  await using sandbox = await createSandbox();
  await using _ = await hostIn(sandbox, options);
  return "created";
};

describe("a wrong setting is refused when the host is created", () => {
  test.each<[object, string]>([
    [{ timeoutMs: "fast" }, '"timeoutMs" must be a number of at least 1'],
    [{ timeoutMs: Number.NaN }, '"timeoutMs" must be a number of at least 1'],
    [{ parallelStarts: 0 }, '"parallelStarts" must be a number of at least 1'],
    [{ toolsTtlMs: -1 }, '"toolsTtlMs" must be a number of at least 0'],
    [{ toolTokens: null }, '"toolTokens" must be a number of at least 1'],
    [{ timeoutMS: 5 }, '"timeoutMS" is not a known setting; did you mean "timeoutMs"?'],
    [{ providers: { cursor: false } }, '"providers" is not a known setting'],
    [{ naming: "short" }, '"naming" must be one of plugboard, seeds, claude, plain'],
    [{ npxFromCache: "no" }, '"npxFromCache" must be true or false'],
    [{ providersOff: "cursor" }, '"providersOff" must be a list of provider ids'],
    [{ providersOff: ["cursr"] }, 'unknown provider "cursr"; did you mean "cursor"?'],
    [{ providerOrder: [1] }, '"providerOrder" must contain strings'],
    [{ model: "" }, '"model" must be a string such as "ollama/qwen3"'],
    [{ modelProviders: { x: { apiKey: "sk-123" } } }, '"apiKey" must be "env:NAME" or "keychain:NAME"'],
  ])("%j", async (settings, message) => {
    const failure = await failureOf(created({ settings }));
    expect(failure).toMatchObject({ code: "USAGE_INVALID", message: expect.stringContaining(message) });
    expect(failure.message).not.toMatch(/sk-123|it is ignored|; using/);
  });

  test("and all of them are in one error", async () => {
    const { message } = await failureOf(created({ settings: { timeoutMs: 0, resultChars: "many" } }));
    expect(message).toBe(
      'Invalid settings: "timeoutMs" must be a number of at least 1; "resultChars" must be a number of at least 1.',
    );
  });

  test("but an omitted one has its default, and a very long time is limited to the longest possible", async () => {
    await using host = await createHost({
      discover: false,
      settings: { toolsTtlMs: Number.POSITIVE_INFINITY, ...({ timeoutMs: undefined } as object) },
    });
    expect(host.config.settings()).toMatchObject({ timeoutMs: 30_000, toolsTtlMs: 2 ** 31 - 1 });
  });
});

test.each<[object, string]>([
  [{ timeoutMs: 0 }, 'The option "timeoutMs" must be a positive number of milliseconds.'],
  [{ timeoutMs: "5" }, 'The option "timeoutMs" must be a positive number of milliseconds.'],
  [{ toolsTtlMs: "5" }, 'Invalid settings: "toolsTtlMs" must be a number of at least 0.'],
  [{ interaction: "maybe" }, 'The option "interaction" must be "ask" or "forbid".'],
  [{ serverLogLevel: "warn" }, 'The option "serverLogLevel" must be "debug", "info", "notice"'],
  [{ discover: "no" }, 'The option "discover" must be true or false.'],
  [{ trustProject: 1 }, 'The option "trustProject" must be true or false.'],
  [{ eager: "false" }, 'The option "eager" must be true or false.'],
  [{ cwd: 5 }, 'The option "cwd" must be a string.'],
  [{ artifacts: true }, 'The option "artifacts" must be false, "files" or a function.'],
  [{ artifacts: "/tmp" }, 'The option "artifacts" must be false, "files" or a function.'],
  [{ onCall: true }, 'The option "onCall" must be a function.'],
  [{ onElicitation: {} }, 'The option "onElicitation" must be a function.'],
  [{ servers: [{ command: "node" }] }, 'The option "servers" must be an object.'],
  [{ settings: null }, 'The option "settings" must be an object.'],
  [{ roots: "/tmp" }, 'The option "roots" must be a list, a function, or an object'],
  [{ record: 5 }, 'The option "record" must be a string.'],
  [{ log: 5 }, 'The option "log" must have a method "log"'],
  [{ stores: { pins: true } }, 'The store "pins" must be an object with get, set.'],
  [
    { stores: { credentials: { get: () => undefined } } },
    'The store "credentials" must be an object with get, set, remove, list, exclusively.',
  ],
  [{ daemon: "on" }, 'The option "daemon" must be "auto", "off" or "require".'],
])("the wrong option %j is refused", async (options, message) => {
  expect(await failureOf(created(options))).toMatchObject({
    code: "USAGE_INVALID",
    message: expect.stringContaining(message),
  });
});

describe("a mistyped option is refused, because it would be ignored", () => {
  test.each<[object, string, string]>([
    [{ interacton: "forbid" }, 'Unknown option "interacton".', 'Did you mean "interaction"?'],
    [{ stores: { credential: {} } }, 'Unknown store "credential".', 'Did you mean "credentials"?'],
    [{ x: 1 }, 'Unknown option "x".', "Known: cwd, home, env"],
  ])("of a host: %j", async (options, message, hint) => {
    const failure = await failureOf(created(options));
    expect(failure).toMatchObject({ code: "USAGE_INVALID", message, hint: expect.stringContaining(hint) });
  });

  test.each<[object, string]>([
    [{ denytools: ["*"] }, 'Unknown session option "denytools".'],
    [{ server: ["a"] }, 'Unknown session option "server".'],
    [{ servers: "a" }, 'The session option "servers" must be a list of strings.'],
    [{ mode: "search" }, 'The session option "mode" must be "direct", "meta" or "auto".'],
    [{ approval: "never" }, 'The session option "approval" must be "allow", "ask-writes", "ask" or "deny".'],
  ])("of a session: %j", async (options, message) => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox);
    expect(() => host.session(options)).toThrow(expect.objectContaining({ code: "USAGE_INVALID", message }));
  });

  test.each<[object, string]>([
    [{ execute: "run" }, "has no function execute."],
    [{ description: undefined }, "has no description."],
    [{ inputSchema: 5 }, "has no inputSchema."],
    [{ inputSchema: { type: "string" } }, 'has an inputSchema whose type is not "object".'],
    [{ approval: "never" }, "has an unknown approval; use allow, ask-writes, ask, deny."],
    [{ title: 5 }, "has a title that is not a string."],
  ])("of a function: %j", async (wrong, message) => {
    const mail = { description: "sends", inputSchema: { type: "object" }, execute: () => "sent", ...wrong };
    await using host = await createHost({ discover: false });
    expect(() => host.session({ tools: { mail } })).toThrow(
      expect.objectContaining({ code: "USAGE_INVALID", message: `The tool "mail" ${message}` }),
    );
  });

  test("of a function: a library's schema that does not describe an object", async () => {
    await using host = await createHost({ discover: false });
    const mail = { description: "sends", inputSchema: z.string(), execute: () => "sent" };
    const session = host.session({ tools: { mail } });
    expect(await failureOf(session.tools())).toMatchObject({
      code: "USAGE_INVALID",
      message: expect.stringContaining('Its type must be "object".'),
    });
  });

  test("but options that the seeds have may be passed to plugboard/compat", async () => {
    await using sandbox = await createSandbox();
    const options = { home: sandbox.home, env: {}, discover: false, filterExa: true };
    const { manager, errors } = await discoverAndLoadMCPTools(sandbox.project, options);
    await manager.disconnectAll();
    expect(errors).toEqual([]);
  });
});

describe("problems of a program's servers", () => {
  test("are in the snapshot: a typo", async () => {
    await using sandbox = await createSandbox();
    const { command, ...rest } = stdioServer("raw-server.mjs");
    const typo = { ...rest, comand: command } as unknown as ServerOptions;
    await using host = await hostIn(sandbox, { servers: { typo, good: stdioServer("raw-server.mjs") } });
    expect(host.snapshot().problems).toMatchObject([
      {
        code: "command-missing",
        severity: "error",
        message: 'createHost({ servers }) server "typo": stdio server requires "command" field',
        server: "typo",
      },
      {
        code: "field-unknown",
        severity: "warning",
        message:
          'createHost({ servers }) server "typo": "comand" is not a known field; did you mean "command"?',
        server: "typo",
      },
    ]);
  });

  test.each([null, 5, "node server.mjs", ["node"]])(
    "are in the snapshot: %j instead of an entry",
    async (entry) => {
      await using sandbox = await createSandbox();
      const servers = { wrong: entry as unknown as ServerOptions, good: stdioServer("tools-server.mjs") };
      await using host = await hostIn(sandbox, { servers });
      const message = 'createHost({ servers }): server "wrong" must be an object';
      expect(host.snapshot().problems).toMatchObject([{ code: "entry-shape", message, server: "wrong" }]);
      expect((await host.tools("good")).length).toBeGreaterThan(0);
    },
  );

  test("are in the snapshot: a value of the wrong type", async () => {
    await using sandbox = await createSandbox();
    const wrong = { ...stdioServer("raw-server.mjs"), timeout: "fast" } as unknown as ServerOptions;
    await using host = await hostIn(sandbox, { servers: { wrong } });
    expect(host.snapshot().problems).toMatchObject([{ code: "field-type", server: "wrong" }]);
  });
});
