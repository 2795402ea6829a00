import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { cline } from "./cline.ts";

const FILE = "/home/me/.cline/data/settings/cline_mcp_settings.json";
const LEGACY =
  "/home/me/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";
const entry = (server: object) => readEntry(cline, FILE, { mcpServers: { one: server } });

test.each([
  ["another tool's type", { type: "http", url: "https://one.test" }, ["unknown-type"]],
  ["an invalid URL", { url: "one.test" }, ["bad-url"]],
  ["neither command nor url", {}, ["missing-command"]],
  ["a connection without a type", { transport: { url: "https://one.test" } }, ["missing-type"]],
  ["a number for a variable", { command: "one", env: { PORT: 1 } }, ["bad-field-type"]],
  ["a string for disabled", { command: "one", disabled: "yes" }, ["bad-field-type"]],
])("one invalid entry invalidates the whole file: %s", async (_, server, problems) => {
  const files = { [FILE]: { mcpServers: { good: { command: "good" }, bad: server } } };
  const { entries, complaints = [] } = await readOn(cline, { files });
  expect(entries.map(({ name, owner }) => [name, owner])).toEqual([
    ["good", { valid: true, problems: [] }],
    ["bad", { valid: false, problems }],
  ]);
  expect(complaints.map(({ code, message, path }) => ({ code, message, path }))).toEqual([
    {
      code: "owner-refuses",
      message: 'server "bad": Cline would reject the whole file because of this',
      path: ["mcpServers", "bad"],
    },
  ]);
});

test("an entry that is not an object invalidates the file, too", async () => {
  const { complaints = [] } = await readOn(cline, { files: { [FILE]: { mcpServers: { bad: 1 } } } });
  expect(complaints.map(({ message }) => message)).toEqual([
    'server "bad" must be an object',
    'server "bad": Cline would reject the whole file because of this',
  ]);
});

test.each([
  ["in seconds", 5, 5000],
  ["at least one", 0.2, 1000],
  ["at most an hour", 60_000, 3_600_000],
])("timeouts are %s", async (_, timeout, expected) => {
  expect((await entry({ command: "one", timeout })).fields["timeout"]).toBe(expected);
});

test("tokens that Cline stores in an entry are not used", async () => {
  const { fields } = await entry({
    transport: { type: "sse", url: "https://one.test" },
    oauth: { tokens: { access_token: "hunter2" } },
    metadata: { by: "cline" },
  });
  expect(fields).toEqual({ type: "sse", url: "https://one.test", metadata: { by: "cline" } });
});

test("the former location is read with a warning if a new file exists", async () => {
  const one = { mcpServers: { one: { command: "one" } } };
  const alone = await readOn(cline, { files: { [LEGACY]: one } });
  const both = await readOn(cline, { files: { [LEGACY]: one, [FILE]: one } });
  expect([alone.complaints, both.entries.map(({ source }) => source.file)]).toEqual([[], [FILE, LEGACY]]);
  expect(both.complaints?.map(({ source, message }) => [source.file, message])).toEqual([
    [LEGACY, `is read by Plugboard, but Cline now uses ${FILE}`],
  ]);
});
