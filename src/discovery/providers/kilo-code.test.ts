import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { kiloCode } from "./kilo-code.ts";

test("Kilo Code merges its files as opencode does", async () => {
  const { entries } = await readOn(kiloCode, {
    files: {
      "/home/me/.config/kilo/kilo.jsonc": {
        mcp: { one: { type: "local", command: ["server"], enabled: false } },
      },
      "/repo/.kilo/kilo.json": { mcp: { one: { enabled: true } } },
    },
  });
  expect(entries.map(({ fields, source }) => [source.tier, fields["enabled"]])).toEqual([
    ["project", true],
    ["user", false],
  ]);
});

test("an older file has the format of Roo Code: seconds, and a type for a url", async () => {
  const one = { type: "streamable-http", url: "https://h", timeout: 60, disabled: true, alwaysAllow: ["x"] };
  const entry = await readEntry(kiloCode, "/repo/.kilocode/mcp.json", { mcpServers: { one } });
  expect(entry.transport?.kind).toBe("http");
  expect(entry.fields).toMatchObject({ timeout: 60_000, enabled: false, autoApprove: ["x"] });
});

test("one invalid entry invalidates an older project file", async () => {
  const file = { mcpServers: { one: { url: "https://h" }, two: { command: "x" } } };
  const { entries, complaints } = await readOn(kiloCode, { files: { "/repo/.kilocode/mcp.json": file } });
  expect(entries[0]?.owner?.problems).toEqual(["url-without-type"]);
  expect(complaints?.map(({ message }) => message)).toEqual([
    'server "one": Kilo Code would reject the whole file because of this',
  ]);
});
