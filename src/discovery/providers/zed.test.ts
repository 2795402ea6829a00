import { expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { zed } from "./zed.ts";

const USER = "/home/me/.config/zed/settings.json";
const entry = (server: object) => readEntry(zed, USER, { context_servers: { one: server } });

test.each([
  [
    "an older command",
    { source: "custom", command: { path: "one", args: ["-v"], env: { A: "1" } } },
    { type: "stdio", command: "one", args: ["-v"], env: { A: "1" } },
  ],
  ["a plain command", { command: "one", remote: true }, { type: "stdio", command: "one", remote: true }],
  [
    "a url with sign-in",
    { url: "https://one.test", oauth: { client_id: "me", client_secret: "s" } },
    { type: "http", url: "https://one.test", oauth: { clientId: "me", clientSecret: "s" } },
  ],
  [
    "an extension",
    { settings: { a: 1 }, enabled: false },
    { extension: true, settings: { a: 1 }, enabled: false },
  ],
  ["an older extension", { source: "extension" }, { extension: true }],
])("Zed reads %s", async (_, server, fields) => {
  expect((await entry(server)).fields).toEqual(fields);
});

test("an entry without a timeout uses the global one, even from the user's settings", async () => {
  const { entries } = await readOn(zed, {
    files: {
      "/repo/.zed/settings.json": {
        context_servers: { a: { command: "a" }, b: { command: "b", timeout: 5 } },
      },
      [USER]: { context_server_timeout: 60 },
    },
  });
  expect(entries.map(({ name, fields }) => [name, fields["timeout"]])).toEqual([
    ["a", 60_000],
    ["b", 5000],
  ]);
});
