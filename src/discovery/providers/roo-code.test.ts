import { expect, test } from "vitest";
import { readOn } from "../../../test/support/machine.ts";
import { rooCode } from "./roo-code.ts";

const PROJECT = "/repo/.roo/mcp.json";
const GLOBAL =
  "/home/me/.config/VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json";

test.each([
  ["a url without a type", { url: "https://one.test" }, ["url-without-type"]],
  ["a command and a url", { command: "one", url: "https://one.test" }, ["command-and-url"]],
  ["Cline's type", { type: "streamableHttp", url: "https://one.test" }, ["unknown-type"]],
  ["milliseconds instead of seconds", { command: "one", timeout: 60_000 }, ["timeout-unit-suspicious"]],
])("%s invalidates a project's file, but not the global one", async (_, server, problems) => {
  const value = { mcpServers: { one: server } };
  const { entries, complaints = [] } = await readOn(rooCode, {
    files: { [PROJECT]: value, [GLOBAL]: value },
  });
  expect(entries.map(({ source, owner }) => [source.file, owner])).toEqual([
    [PROJECT, { valid: false, problems }],
    [GLOBAL, { valid: false, problems }],
  ]);
  expect(complaints.map(({ source, message }) => [source.file, message])).toEqual([
    [PROJECT, 'server "one": Roo Code would reject the whole file because of this'],
  ]);
});
