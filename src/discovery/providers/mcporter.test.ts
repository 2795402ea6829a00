import { expect, test } from "vitest";
import { readEntry } from "../../../test/support/machine.ts";
import { mcporter } from "./mcporter.ts";

const FILE = "/repo/config/mcporter.json";
const entry = (server: object) => readEntry(mcporter, FILE, { mcpServers: { one: server } });

test.each([
  ["a list", { command: ["npx", "-y", "one"] }, ["npx", ["-y", "one"]]],
  ["a list and arguments", { command: ["npx", "-y"], args: ["one"] }, ["npx", ["-y", "one"]]],
  ["a command line", { command: "npx -y 'a b' \"c d\" e\\ f" }, ["npx", ["-y", "a b", "c d", "e f"]]],
  ["a word and arguments", { command: "my server", args: ["a b"] }, ["my server", ["a b"]]],
  ["a Windows path", { command: "C:\\bin\\one.exe --x" }, ["C:\\bin\\one.exe", ["--x"]]],
  ["an unfinished quote", { command: "one 'two three" }, ["one", ["two three"]]],
])("a command may be %s", async (_, server, expected) => {
  const { fields } = await entry(server);
  expect([fields["command"], fields["args"]]).toEqual(expected);
});

test("mcporter's names for tools, tokens and sign-in are mapped", async () => {
  const { fields, expansion } = await entry({
    baseUrl: "https://one.test/mcp",
    description: "One",
    bearerTokenEnv: "ONE_TOKEN",
    allowedTools: ["a"],
    auth: "oauth",
    oauthClientId: "me",
    oauthScope: "read",
  });
  expect(fields).toEqual({
    type: "http",
    url: "https://one.test/mcp",
    description: "One",
    bearerTokenEnv: "ONE_TOKEN",
    allowTools: ["a"],
    oauth: { clientId: "me", scope: "read" },
  });
  expect(expansion).toEqual({
    syntaxes: ["braced", "default", "dollarEnv"],
    unset: "literal",
    baseFolder: "/repo/config",
  });
});

test.each([
  ["sign-in without settings", { auth: "oauth" }, { oauth: true }],
  ["an unknown auth value, which is ignored", { auth: "basic" }, {}],
  ["a bearer token", { bearerToken: "t" }, { headers: { Authorization: "Bearer t" } }],
])("reads %s", async (_, more, expected) => {
  const { fields } = await entry({ url: "https://one.test", ...more });
  expect(fields).toEqual({ type: "http", url: "https://one.test", ...expected });
});
