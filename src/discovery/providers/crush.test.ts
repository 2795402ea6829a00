import { describe, expect, test } from "vitest";
import { readEntry, readOn } from "../../../test/support/machine.ts";
import { crush } from "./crush.ts";

const FILE = "/repo/crush.json";
const mcp = (one: unknown): unknown => ({ mcp: { one } });

describe("an entry of Crush", () => {
  test.each([
    ["a type and a command", { type: "stdio", command: "x" }, "stdio", { valid: true, problems: [] }],
    ["no type", { command: "x" }, "stdio", { valid: false, problems: ["missing-type"] }],
    ["a url without a type", { url: "https://h" }, undefined, { valid: false, problems: ["missing-type"] }],
    ["an unknown type", { type: "ws", url: "x" }, undefined, { valid: false, problems: ["unknown-type"] }],
    ["no command", { type: "stdio" }, "stdio", { valid: false, problems: ["missing-command"] }],
    ["no url", { type: "sse" }, "sse", { valid: false, problems: ["missing-url"] }],
    [
      "a timeout in milliseconds",
      { type: "stdio", command: "x", timeout: 10_000 },
      "stdio",
      { valid: true, problems: ["timeout-unit-suspicious"] },
    ],
  ])("with %s", async (_, given, kind, owner) => {
    const entry = await readEntry(crush, FILE, mcp(given));
    expect(entry.transport?.kind).toBe(kind);
    expect(entry.owner).toEqual(owner);
  });

  test.each([
    [{ oauth: true }, true],
    [{ oauth: false, oauth_client_id: "me" }, false],
    [
      { oauth: true, oauth_client_id: "me", oauth_client_secret: "s", oauth_callback_port: 80 },
      { clientId: "me", clientSecret: "s", callbackPort: 80 },
    ],
  ])("signs in with %j", async (given, oauth) => {
    const { fields } = await readEntry(crush, FILE, mcp({ type: "http", url: "https://h", ...given }));
    expect(fields["oauth"]).toEqual(oauth);
  });
});

describe("files of Crush", () => {
  test("are merged from the system file to the nearest folder's, scripts after JSON", async () => {
    const order = [
      "/etc/crush/crush.json",
      "/home/me/.config/crush/crush.json",
      "/home/me/.config/crush/crushrc",
      "/home/me/.local/share/crush/crush.json",
      "/repo/crush.json",
      "/repo/.crushrc",
      "/repo/sub/crush.json",
      "/repo/sub/.crush.json",
      "/repo/sub/crushrc",
      "/repo/sub/.crushrc",
    ];
    const content = (path: string): unknown =>
      path.endsWith("rc") ? `mcp add one --command ${path}` : mcp({ type: "stdio", command: path });
    for (let strongest = 1; strongest <= order.length; strongest += 1) {
      const files = Object.fromEntries(order.slice(0, strongest).map((path) => [path, content(path)]));
      const machine = { cwd: "/repo/sub", files: { ...files, "/repo/.git/HEAD": "" } };
      const [entry] = (await readOn(crush, machine)).entries;
      expect(entry?.fields["command"]).toBe(order[strongest - 1]);
    }
  });

  test("that are scripts are marked as hints, even for changes, with the position of the command", async () => {
    const { entries } = await readOn(crush, {
      files: {
        [FILE]: mcp({ type: "http", url: "https://h" }),
        "/repo/crushrc": "# mine\nmcp add one --header A $B\nmcp add two --command x\n",
      },
    });
    expect(entries.map(({ name, owner }) => [name, owner])).toEqual([
      ["one", { valid: true, problems: ["static-hint-only"] }],
      ["two", { valid: true, problems: ["static-hint-only"] }],
    ]);
    expect(entries[0]?.fields).toMatchObject({ type: "http", headers: { A: "$B" } });
    expect(entries[0]?.fieldSources?.["headers"]).toMatchObject({ file: "/repo/crushrc", line: 2 });
    expect(entries[1]?.source.document.at(entries[1].path)).toEqual({ line: 3, column: 1 });
  });

  test("must be strict JSON, and their servers must be objects", async () => {
    const { complaints } = await readOn(crush, { files: { [FILE]: '{ "mcp": { "one": 1 } } // mine' } });
    expect(complaints?.map(({ code }) => code)).toEqual(["entry-shape", "owner-refuses"]);
  });
});
