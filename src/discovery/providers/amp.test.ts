import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { amp } from "./amp.ts";

const servers = (command: string) => ({ "amp.mcpServers": { one: { command } } });

test("the dotted key is a single key, and comments are allowed", async () => {
  const text =
    '{ // mine\n "amp.mcpServers": { "one": { "url": "https://one.test/mcp", "includeTools": ["a*"] } }, }';
  const { transport, fields } = await readEntry(amp, "/home/me/.config/amp/settings.json", text);
  expect([transport?.candidates, fields]).toEqual([
    ["http", "sse"],
    { type: "http", url: "https://one.test/mcp", allowTools: ["a*"] },
  ]);
});

test("a nested object with the same path is not read", async () => {
  const files = { "/home/me/.config/amp/settings.json": { amp: { mcpServers: { one: { command: "x" } } } } };
  expect((await readOn(amp, { files })).entries).toEqual([]);
});

test("managed settings come first, then the project's, then the user's", async () => {
  const { entries } = await readOn(amp, {
    files: {
      "/home/me/.config/amp/settings.json": servers("user"),
      "/etc/ampcode/managed-settings.json": servers("managed"),
      "/repo/.amp/settings.json": servers("project"),
      "/home/me/.config/Code/User/settings.json": servers("editor"),
    },
  });
  expect(entries.map(({ fields, source }) => [fields["command"], source.tier])).toEqual([
    ["managed", "managed"],
    ["project", "project"],
    ["user", "user"],
    ["editor", "user"],
  ]);
});

test("Amp expands ${VAR} and supports `disabled`", async () => {
  const { expansion, fields } = await readEntry(amp, "/repo/.amp/settings.json", {
    "amp.mcpServers": { one: { command: "one", disabled: true } },
  });
  expect([expansion.syntaxes, fields["enabled"]]).toEqual([["braced"], false]);
});
