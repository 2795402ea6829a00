import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { librechat } from "./librechat.ts";

const FILE = "/repo/librechat.yaml";
const entry = (yaml: string) =>
  readEntry(librechat, FILE, `mcpServers:\n  one:\n${yaml.replaceAll(/^/gm, "    ")}\n`);

test.each([
  ["a url alone is SSE", "url: https://one.test/sse", "sse"],
  ["a url of a web socket is one", "url: wss://one.test/ws", "ws"],
  ["a type says so", "type: streamable-http\nurl: https://one.test/mcp", "http"],
  ["the short type says so", "type: http\nurl: https://one.test/mcp", "http"],
  ["a web socket by its type", "type: websocket\nurl: ws://one.test", "ws"],
  ["a command is a program", "command: one\nargs: []", "stdio"],
])("%s", async (_, yaml, kind) => {
  const { transport, owner } = await entry(yaml);
  expect([transport?.kind, owner]).toEqual([kind, { valid: true, problems: [] }]);
});

test.each([
  ["arguments are mandatory", "command: one", "missing-required-field"],
  ["a type and a scheme that differ", "type: sse\nurl: wss://one.test", "bad-url"],
  ["a type of another tool", "type: streamableHttp\nurl: https://one.test", "unknown-type"],
  ["a number for a variable", "command: one\nargs: []\nenv: { PORT: 1 }", "bad-field-type"],
])("one bad entry spoils the file: %s", async (_, yaml, problem) => {
  const files = { [FILE]: `mcpServers:\n  one:\n${yaml.replaceAll(/^/gm, "    ")}\n` };
  const { entries, complaints = [] } = await readOn(librechat, { files });
  expect([entries[0]?.owner?.problems, complaints.map(({ message }) => message)]).toEqual([
    [problem],
    ['server "one": LibreChat would reject the whole file because of this'],
  ]);
});

test("its other fields keep their meaning", async () => {
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
