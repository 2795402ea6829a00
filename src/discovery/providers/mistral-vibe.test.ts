import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { mistralVibe } from "./mistral-vibe.ts";

const FILE = "/home/me/.vibe/config.toml";
const entry = (toml: string) => readEntry(mistralVibe, FILE, `[[mcp_servers]]\nname = "one"\n${toml}`);
const REMOTE = 'transport = "http"\nurl = "https://one.test"\n';

test.each([
  ["a bearer token", 'api_key_env = "KEY"', { bearerTokenEnv: "KEY" }],
  [
    "a custom header",
    'api_key_env = "KEY"\napi_key_header = "X-Key"\napi_key_format = "{token}"',
    { envHeaders: { "X-Key": "KEY" } },
  ],
  [
    "another format, which stays unchanged",
    'api_key_env = "KEY"\napi_key_format = "Token {token}"',
    { api_key_env: "KEY", api_key_format: "Token {token}" },
  ],
  ["a separate table", 'auth = { type = "static", api_key_env = "KEY" }', { bearerTokenEnv: "KEY" }],
  [
    "sign-in",
    'auth = { type = "oauth", scopes = ["read"], client_id = "me", redirect_port = 4000 }',
    { oauth: { clientId: "me", callbackPort: 4000 }, oauthScopes: ["read"] },
  ],
])("Mistral Vibe authenticates with %s", async (_, toml, expected) => {
  expect((await entry(REMOTE + toml)).fields).toEqual({ type: "http", url: "https://one.test", ...expected });
});

test.each([
  ["a line", 'command = "uvx one"\nargs = ["-v"]', ["uvx", ["one", "-v"]]],
  ["a list", 'command = ["uvx", "one"]', ["uvx", ["one"]]],
  ["a word", 'command = "uvx"\nargs = ["one"]', ["uvx", ["one"]]],
])("a command of Mistral Vibe is %s", async (_, toml, expected) => {
  const { fields } = await entry(`transport = "stdio"\n${toml}`);
  expect([fields["command"], fields["args"]]).toEqual(expected);
});

test("timeouts are in seconds, and the switch and the tool list are mapped", async () => {
  const { fields } = await entry(
    'transport = "stdio"\ncommand = "one"\nstartup_timeout_sec = 1.5\ntool_timeout_sec = 60\ndisabled = true\ndisabled_tools = ["x"]',
  );
  expect(fields).toEqual({
    type: "stdio",
    command: "one",
    startupTimeout: 1500,
    timeout: 60_000,
    enabled: false,
    denyTools: ["x"],
  });
});

test("a table without a name or transport is reported", async () => {
  const { entries, complaints = [] } = await readOn(mistralVibe, {
    files: { [FILE]: '[[mcp_servers]]\ncommand = "a"\n[[mcp_servers]]\nname = "b"\ncommand = "b"\n' },
  });
  expect([entries.map(({ name, owner }) => [name, owner]), complaints.map(({ message }) => message)]).toEqual(
    [[["b", { valid: false, problems: ["missing-type"] }]], ["server 1 has no name"]],
  );
});
