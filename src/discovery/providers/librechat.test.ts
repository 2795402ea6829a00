import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { librechat } from "./librechat.ts";

const FILE = "/repo/librechat.yaml";
const entry = (yaml: string) =>
  readEntry(librechat, FILE, `mcpServers:\n  one:\n${yaml.replaceAll(/^/gm, "    ")}\n`);

test.each([
  ["a url without a type means SSE", "url: https://one.test/sse", "sse"],
  ["a WebSocket url means WebSocket", "url: wss://one.test/ws", "ws"],
  ["an explicit type", "type: streamable-http\nurl: https://one.test/mcp", "http"],
  ["an explicit short type", "type: http\nurl: https://one.test/mcp", "http"],
  ["an explicit WebSocket type", "type: websocket\nurl: ws://one.test", "ws"],
  ["a command means stdio", "command: one\nargs: []", "stdio"],
])("%s", async (_, yaml, kind) => {
  const { transport, owner } = await entry(yaml);
  expect([transport?.kind, owner]).toEqual([kind, { valid: true, problems: [] }]);
});

test.each([
  ["missing arguments", "command: one", "missing-required-field"],
  ["a type and a scheme that differ", "type: sse\nurl: wss://one.test", "bad-url"],
  ["another tool's type", "type: streamableHttp\nurl: https://one.test", "unknown-type"],
  ["a number for a variable", "command: one\nargs: []\nenv: { PORT: 1 }", "bad-field-type"],
])("one invalid entry invalidates the file: %s", async (_, yaml, problem) => {
  const files = { [FILE]: `mcpServers:\n  one:\n${yaml.replaceAll(/^/gm, "    ")}\n` };
  const { entries, complaints = [] } = await readOn(librechat, { files });
  expect([entries[0]?.owner?.problems, complaints.map(({ message }) => message)]).toEqual([
    [problem],
    ['server "one": LibreChat would reject the whole file because of this'],
  ]);
});

test("LibreChat's other fields are mapped", async () => {
  const { fields, expansion } = await entry(
    [
      "type: sse",
      "url: https://one.test/sse",
      "title: One",
      "timeout: 60000",
      "initTimeout: 10000",
      "startup: false",
      "chatMenu: true",
      "oauth: { authorization_url: https://a.test, token_url: https://t.test, client_id: me, scope: read }",
    ].join("\n"),
  );
  expect([fields, expansion.syntaxes]).toEqual([
    {
      type: "sse",
      url: "https://one.test/sse",
      label: "One",
      timeout: 60_000,
      startupTimeout: 10_000,
      enabled: false,
      chatMenu: true,
      oauth: {
        authorizationUrl: "https://a.test",
        tokenUrl: "https://t.test",
        clientId: "me",
        scope: "read",
      },
    },
    ["braced", "foreign"],
  ]);
});
