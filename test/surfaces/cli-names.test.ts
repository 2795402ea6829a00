import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const RESERVED = [".", "..", "__proto__", "constructor", "prototype"];
/** A name with terminal control sequences and shell code. */
const HOSTILE = "x\u001b]0;owned\u0007; echo pwned";
// oxlint-disable-next-line no-control-regex
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

const mapOf = (names: readonly string[], server: object): string =>
  `{ "mcpServers": { ${names.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(server)}`).join(", ")} } }`;

describe("a server with a reserved name", () => {
  test.each(RESERVED)("is listed with a warning, and can be approved and used: %s", async (name) => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(
      ".plugboard/mcp.json",
      mapOf([name, "plain"], stdioServer("tools-server.mjs")),
    );
    const before = await runCli(["list", "--json"], { sandbox });
    expect(before.json()).toMatchObject({
      servers: [
        { name, state: "untrusted", problems: [{ code: "name-invalid", severity: "warning" }] },
        { name: "plain", state: "untrusted", problems: [] },
      ],
    });
    const refused = (await runCli(["trust", name, "--json"], { sandbox })).stdout;
    const [hash = ""] = /(?<=--hash )\w+/.exec(refused) ?? [];
    expect((await runCli(["trust", name, "--yes", "--hash", hash], { sandbox })).code).toBe(0);
    const called = await runCli(["tools", name, "--json"], { sandbox });
    expect([called.code, called.json()]).toMatchObject([0, { tools: expect.any(Array) }]);
    const after = (await runCli(["list", "--json"], { sandbox })).json();
    expect(after).toMatchObject({
      servers: [
        { name, state: "idle" },
        { name: "plain", state: "untrusted" },
      ],
    });
  });

  test("is never copied into Plugboard's files", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", mapOf(RESERVED, { command: "node" }));
    const imported = await runCli(["import", "cursor", "--json"], { sandbox });
    expect(imported.json()).toEqual({
      written: [],
      skipped: RESERVED.map((name) => ({
        name,
        reason: `Invalid server config: Server name "${name}" is reserved`,
      })),
    });
  });
});

test.each([
  ["doctor"],
  ["list"],
  ["status"],
  ["tools"],
  ["tools", HOSTILE],
  ["trust", HOSTILE],
  ["explain", HOSTILE],
])("a name cannot control the terminal or inject a command into suggestions: %s", async (...words) => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".plugboard/mcp.json", mapOf([HOSTILE, "y; echo pwned"], { command: "node" }));
  const { stdout, stderr } = await runCli(words, { sandbox });
  expect(stdout + stderr).not.toMatch(STEERING);
  expect(stdout + stderr).not.toMatch(/plugboard \w+ [^'<\n]*echo pwned/);
});
