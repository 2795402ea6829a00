import { describe, expect, test } from "vitest";
import { entryOf, USER } from "../../test/support/entries.ts";
import type { JsonObject, Launch } from "../model/index.ts";

const PLACE = `${USER.file}:3:5 server "a":`;

/** Returns the problems of an entry: codes and messages without positions. */
function problemsOf(fields: JsonObject, name = "a"): string[] {
  const { problems } = entryOf(name, fields);
  return problems.map(
    ({ code, severity, message }) => `${severity} ${code}: ${message.replace(`${PLACE} `, "")}`,
  );
}
const launchOf = (fields: JsonObject): Launch | undefined => {
  const { launch } = entryOf("a", fields);
  return launch === undefined ? undefined : (JSON.parse(JSON.stringify(launch)) as Launch);
};

describe("a protective setting", () => {
  test.each<[unknown]>([
    ["bwrap --unshare-net"],
    [{}],
    [[null]],
    [[["bwrap"]]],
    [true],
    [null],
    [["bwrap", ""]],
    [[1]],
  ])("prevents the start if wrap is %j", (wrap) => {
    const fields = { command: "node", wrap } as JsonObject;
    expect(entryOf("a", fields).launch).toBeUndefined();
    expect(problemsOf(fields)).toContainEqual(
      expect.stringMatching(/^error field-type: "wrap" must be a list of words/),
    );
  });

  test.each<[unknown, boolean]>([
    ["false", false],
    ["true", true],
    [0, false],
    [null, false],
    ["no", false],
  ])("disables the server if enabled is %j, unless that is `true`", (enabled, isOn) => {
    const fields = { command: "node", enabled } as JsonObject;
    expect(entryOf("a", fields).enabled).toBe(isOn);
    expect(problemsOf(fields)).toContainEqual(
      `warning field-type: "enabled" must be true or false; ${isOn} is used`,
    );
  });
});

test("trust: false in Plugboard's own file means untrusted", () => {
  expect(entryOf("a", { command: "node", trust: false }).rules.trust).toBe("untrusted");
  expect(entryOf("a", { command: "node", trust: true }).rules.trust).toBe("trusted");
});

describe("the transport of an entry", () => {
  test.each<[string, JsonObject, string | undefined, string]>([
    ["with a command and no type is stdio", { command: "node" }, "stdio", "it has a command and no type"],
    ["with a url and no type is http", { url: "https://x.dev" }, "http", "it has a url and no type"],
    ["without anything is stdio", {}, "stdio", "stdio is the default when no type is set"],
    ["is the declared one: stdio", { type: "stdio", command: "node" }, "stdio", '"type": "stdio"'],
    ["is the declared one: http", { type: "http", url: "https://x.dev" }, "http", '"type": "http"'],
    ["is the declared one: sse", { type: "sse", url: "https://x.dev" }, "sse", '"type": "sse"'],
    [
      "may have other tools' spelling",
      { type: "streamable-http", url: "https://x.dev" },
      "http",
      '"type": "streamable-http"',
    ],
    [
      "is undefined with a command and a url",
      { command: "node", url: "https://x.dev" },
      undefined,
      "it has a command and a url",
    ],
    ["is undefined with an unknown type", { type: "pigeon", command: "node" }, undefined, '"type": "pigeon"'],
    [
      "is undefined with a type that is special in JavaScript",
      { type: "constructor", command: "node" },
      undefined,
      '"type": "constructor"',
    ],
  ])("%s", (_, fields, transport, transportReason) => {
    const entry = entryOf("a", fields);
    expect({ transport: entry.transport, transportReason: entry.transportReason }).toEqual({
      transport,
      transportReason,
    });
  });
});

describe("an invalid entry", () => {
  test.each<[string, JsonObject, string]>([
    [
      "has both a command and a url",
      { command: "node", url: "https://x.dev" },
      'error transport-ambiguous: both "command" and "url" are set - server should be either stdio (command) OR http/sse (url), not both',
    ],
    ["has no command", { type: "stdio" }, 'error command-missing: stdio server requires "command" field'],
    ["has an empty command", { command: "" }, 'error command-missing: stdio server requires "command" field'],
    ["has the type http but no url", { type: "http" }, 'error url-missing: http server requires "url" field'],
    [
      "has the type sse but no url",
      { type: "sse", url: "" },
      'error url-missing: sse server requires "url" field',
    ],
    [
      "has an unknown type",
      { type: "pigeon", command: "node" },
      'error transport-unknown: unknown server type "pigeon" (use "stdio", "http" or "sse")',
    ],
    [
      "has an invalid url",
      { type: "http", url: "x.dev" },
      'error url-invalid: "x.dev" is not an http or https URL',
    ],
    [
      "has a url with another scheme, and its password is masked",
      { type: "http", url: "ftp://me:hunter22@x.dev" },
      'error url-invalid: "ftp://me:[secret]@x.dev" is not an http or https URL',
    ],
  ])("%s", (_, fields, problem) => {
    expect({ problems: problemsOf(fields), launch: launchOf(fields) }).toEqual({
      problems: [problem],
      launch: undefined,
    });
  });

  test("has its position", () => {
    const { file, line, column } = USER;
    expect(entryOf("a", { type: "stdio" }).problems).toEqual([
      {
        code: "command-missing",
        severity: "error",
        message: `${PLACE} stdio server requires "command" field`,
        server: "a",
        file,
        line,
        column,
      },
    ]);
  });
});

describe("a url", () => {
  test.each(["https://unreachable.invalid/mcp", "http://127.0.0.1:1/", "https://${HOST}/mcp", "${URL}"])(
    "is checked only for its format: %s",
    (url) => {
      expect([launchOf({ type: "http", url }), problemsOf({ type: "http", url })]).toEqual([
        { transport: "http", url, headers: {} },
        [],
      ]);
    },
  );

  test("without a type is usable, with a warning", () => {
    expect([launchOf({ url: "https://x.dev" })?.transport, problemsOf({ url: "https://x.dev" })]).toEqual([
      "http",
      ['warning transport-inferred: no "type"; "http" is assumed because there is a "url"'],
    ]);
  });
});

describe("the fields of an entry", () => {
  test("that are optional are kept", () => {
    const stdio = {
      command: "node",
      args: ["s.js"],
      env: { A: "1" },
      cwd: "/repo",
      wrap: ["bwrap"],
      inheritEnv: ["PATH"],
      envFile: ".env",
    };
    const http = { type: "http", url: "https://x.dev", headers: { A: "1" } };
    expect([launchOf(stdio), launchOf({ type: "stdio", command: "node" }), launchOf(http)]).toEqual([
      { transport: "stdio", ...stdio },
      { transport: "stdio", command: "node", args: [], env: {} },
      { transport: "http", url: "https://x.dev", headers: { A: "1" } },
    ]);
  });

  test("enabled and timeout work with every transport", () => {
    const entries = [
      { command: "node" },
      { type: "http", url: "https://x.dev" },
      { type: "sse", url: "https://x.dev" },
    ].map((fields) => entryOf("a", { ...fields, enabled: false, timeout: 5_000 }));
    expect(entries.map(({ enabled, enabledBy, timeoutMs }) => ({ enabled, enabledBy, timeoutMs }))).toEqual(
      Array.from({ length: 3 }, () => ({
        enabled: false,
        enabledBy: '"enabled": false in its entry',
        timeoutMs: 5_000,
      })),
    );
  });

  test.each<[string, JsonObject, number, number]>([
    ["30 seconds by default", {}, 30_000, 30_000],
    ["its timeout, also for the startup", { timeout: 5_000 }, 5_000, 5_000],
    ["its timeout, even if it is long", { timeout: 90_000 }, 90_000, 90_000],
    ["its startup timeout", { timeout: 90_000, startupTimeout: 10_000 }, 90_000, 10_000],
    ["no limit for 0", { timeout: 0 }, 2_147_483_647, 2_147_483_647],
    ["at most the longest timer delay", { timeout: 1e12 }, 2_147_483_647, 2_147_483_647],
  ])("a server has %s", (_, fields, timeoutMs, startupTimeoutMs) => {
    const entry = entryOf("a", { command: "node", ...fields });
    expect({ timeoutMs: entry.timeoutMs, startupTimeoutMs: entry.startupTimeoutMs }).toEqual({
      timeoutMs,
      startupTimeoutMs,
    });
  });

  test.each<[string, JsonObject, number]>([
    ["10 minutes by default", {}, 600_000],
    ["the entry's timeout", { installTimeout: 90_000, timeout: 5 }, 90_000],
    ["no limit for 0", { installTimeout: 0 }, 2_147_483_647],
  ])("a package runner has %s to install a server", (_, fields, installTimeoutMs) => {
    const entry = entryOf("a", { command: "npx", ...fields });
    expect(entry).toMatchObject({ installTimeoutMs, problems: [] });
  });

  test.each<[string, JsonObject, boolean, number | undefined]>([
    ["from its first use on", {}, false, undefined],
    ["from the start of the host", { eager: true }, true, undefined],
    ["until it is idle", { idleStopMs: 60_000 }, false, 60_000],
  ])("a server runs %s", (_, fields, eager, idleStopMs) => {
    expect(entryOf("a", { command: "node", ...fields })).toMatchObject({ eager, idleStopMs });
  });

  test.each<[JsonObject, string | undefined, number]>([
    [{}, undefined, 0],
    [{ share: "user" }, "user", 0],
    [{ share: "session" }, "session", 0],
    [{ share: "all" }, "session", 1],
    [{ share: true }, "session", 1],
  ])("%j shares its connections with %j", (fields, share, problems) => {
    const entry = entryOf("a", { command: "node", ...fields });
    expect([entry.share, entry.problems.length]).toEqual([share, problems]);
  });

  test.each<[string, JsonObject, string]>([
    ["timeout as a string", { timeout: "5s" }, '"timeout" must be a number of milliseconds; it is ignored'],
    ["a negative timeout", { timeout: -1 }, '"timeout" must be a number of milliseconds; it is ignored'],
    ["args as a string", { args: "s.js" }, '"args" must be a list of strings; it is ignored'],
    ["args with an object", { args: [{}] }, '"args" must be a list of strings; it is ignored'],
    ["env as a list", { env: ["A=1"] }, '"env" must be an object of strings; it is ignored'],
    ["one value of env", { env: { A: [], B: "2" } }, '"env.A" must be a string; it is ignored'],
    ["cwd as a number", { cwd: 5 }, '"cwd" must be a string; it is ignored'],
    ["inheritEnv as a string", { inheritEnv: "all" }, '"inheritEnv" must be true or false; it is ignored'],
  ])("of the wrong type are ignored with a warning: %s", (_, fields, message) => {
    const entry = entryOf("a", { command: "node", ...fields });
    expect({
      problems: problemsOf({ command: "node", ...fields }),
      usable: [entry.launch !== undefined, entry.enabled, entry.timeoutMs],
    }).toEqual({ problems: [`warning field-type: ${message}`], usable: [true, true, 30_000] });
  });

  test("that are numbers or booleans become strings", () => {
    expect(
      launchOf({ command: "node", args: ["--port", 80, true], env: { PORT: 80, DEBUG: false } }),
    ).toEqual({
      transport: "stdio",
      command: "node",
      args: ["--port", "80", "true"],
      env: { PORT: "80", DEBUG: "false" },
    });
  });

  test("that are unknown are a warning", () => {
    expect(problemsOf({ command: "node", comand: "x" })).toEqual([
      'warning field-unknown: "comand" is not a known field; did you mean "command"?',
    ]);
  });

  test("may have names that are special in JavaScript", () => {
    const fields = JSON.parse('{ "__proto__": { "command": "evil" }, "type": "stdio" }') as JsonObject;
    expect(launchOf(fields)).toBeUndefined();
  });
});

test.each([
  ["is empty", ""],
  ["means another folder", ".."],
  ["is special in JavaScript", "__proto__"],
  ["contains a space", "my server"],
  ["is in another script", "日本"],
  ["is too long", "x".repeat(101)],
])("a name that %s is usable, with a warning", (_, name) => {
  const { launch, problems } = entryOf(name, { command: "node" });
  expect([launch !== undefined, problems.map(({ code, severity }) => `${severity} ${code}`)]).toEqual([
    true,
    ["warning name-invalid"],
  ]);
});

test("only the first 20 problems of an entry are reported", () => {
  const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));
  const problems = problemsOf({ command: "x", ...unknown });
  expect(problems).toHaveLength(21);
  expect(problems.slice(-2)).toEqual([
    'warning field-unknown: "f19" is not a known field',
    "warning field-unknown: has more problems that are not shown",
  ]);
});
