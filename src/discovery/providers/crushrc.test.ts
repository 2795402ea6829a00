import { describe, expect, test } from "vitest";
import { readCrushrc } from "./crushrc.ts";

const entriesIn = (text: string): Record<string, unknown> =>
  Object.fromEntries(readCrushrc(text).map(({ name, entry }) => [name, { ...entry }]));

describe("a crushrc", () => {
  test.each([
    ["mcp add a --command npx --args -y --args x", { command: "npx", args: ["-y", "x"] }],
    ["mcp add a --command=npx --args=-y", { command: "npx", args: ["-y"] }],
    ['mcp add a --url "https://h/mcp" --type http', { url: "https://h/mcp", type: "http" }],
    ["mcp add a --type http \\\n  --url 'https://h'", { type: "http", url: "https://h" }],
    ["mcp add a --type http \\\r\n  --url 'https://h'\r\n", { type: "http", url: "https://h" }],
    [
      'mcp add a --header Authorization "Bearer $T" --header X-Y z',
      { headers: { Authorization: "Bearer $T", "X-Y": "z" } },
    ],
    ["mcp add a --env K v --env L 'w x'", { env: { K: "v", L: "w x" } }],
    ["mcp add a --timeout 10 --disabled true", { timeout: 10, disabled: true }],
    ["mcp add a --disabled no", { disabled: false }],
    ["mcp add a --oauth --command x", { oauth: true, command: "x" }],
    [
      "mcp add a --disabled-tools x --disabled-tools y --enabled-tools z",
      { disabled_tools: ["x", "y"], enabled_tools: ["z"] },
    ],
    [
      "mcp add a --oauth-client-id me --oauth-callback-port 80",
      { oauth_client_id: "me", oauth_callback_port: 80 },
    ],
    ["mcp add a --timeout soon", { timeout: "soon" }],
    ['mcp add a --url "$(op read it)"', { url: "$(op read it)" }],
    ["mcp add a --url $(op read it)", { url: "$(op read it)" }],
    ["mcp add a --url `cat it`", { url: "`cat it`" }],
    ["mcp add a --command ${RUNNER:-my runner}", { command: "${RUNNER:-my runner}" }],
    ["mcp add a --command my\\ server", { command: "my server" }],
    ['mcp add a --command "say \\"hi\\""', { command: 'say "hi"' }],
    ["mcp add a --command x # --args y", { command: "x" }],
    ["mcp add a --command x#y", { command: "x#y" }],
    ["if [[ $X == 1 ]]; then mcp add a --command x; fi", { command: "x" }],
    ["true && mcp add a --command x", { command: "x" }],
  ])("%s", (text, entry) => {
    expect(entriesIn(text)).toEqual({ a: entry });
  });

  test.each([
    ["# mcp add a --command x"],
    ["echo mcp add a --command x"],
    ["lsp add a --command x"],
    ["mcp add"],
    ["mcp add $NAME --command x"],
    ["mcp add a --command x\nmcp rm a"],
    ['echo "\nmcp add a --command x\n"'],
    [""],
  ])("%j adds nothing", (text) => {
    expect(entriesIn(text)).toEqual({});
  });

  test("has the position of each server", () => {
    const text = "# first\n\nmcp add a \\\n  --command x\n  mcp add b --command y\n";
    expect(readCrushrc(text).map(({ name, at }) => [name, at])).toEqual([
      ["a", { line: 3, column: 1 }],
      ["b", { line: 5, column: 3 }],
    ]);
  });

  test("accepts names such as __proto__", () => {
    const [server] = readCrushrc("mcp add a --env __proto__ x --__proto__ y");
    expect(Object.keys(server?.entry["env"] ?? {})).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test.each([["$("], ["${"], ['"'], ["'"], ["`"], ["\\"], ["mcp add a --args "], ["#"], ["( "]])(
    "that repeats %j is read in linear time",
    (piece) => {
      expect(readCrushrc(piece.repeat(200_000))).toBeDefined();
    },
  );
});
