import { expect, test } from "vitest";
import { safeText } from "../../src/model/index.ts";
import { serveHttp } from "../../src/testing/index.ts";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { hasTerminal, onTerminal } from "../support/on-terminal.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

const between = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));

/**
 * Sequences that move the cursor, set colours or the title, copy, send replies or hide text. Tabs and line ends are
 * text.
 */
const PAYLOADS: readonly string[] = [
  "\u001b[31mred",
  "\u001b[2J\u001b[H",
  "\u001b[1A\u001b[2K",
  "\u001b[8mhidden\u001b[0m",
  "\u001b]0;title\u0007",
  "\u001b]52;c;ZXZpbA==\u0007",
  "\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\",
  "\u001b]1337;File=inline=1:AAAA\u0007",
  "\u001bP+q544e\u001b\\",
  "\u001b_Gf=100;AAAA\u001b\\",
  "\u001b^private\u001b\\",
  "\u001b[6n",
  "\u001b[?1049h",
  "\u001b[?25l",
  "\u001b(0qqq",
  "\u001bc",
  "\u009b31mred",
  "\u009d0;title\u009c",
  "\u0090q\u009c",
  "good\rbad",
  "secret\b\b\b\b\b\b",
  "a\u0000b",
  "\u0007\u0007",
  "a\u007fb",
  "a\u000bb\u000cc",
  "a\u0085b",
  "a\u2028b\u2029c",
  "\u202egpj.exe",
  "\u202dltr\u202c",
  "\u2066a\u2069\u2067b\u2069",
  "a\u200eb\u200fc\u061cd",
  "a\u200bb\u200cc\u200dd",
  "a\u2060b\ufeffc",
  "a\u00adb",
  "a\u3164b\u115fc\uffa0d",
  "a\u180eb",
  "\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}",
  "a\u{e0100}b\u{e01ef}c",
  "a\u034fb",
  "a\ufff9b\ufffac\ufffbd",
  ...between(0x1, 0x8),
];

const RAW =
  // oxlint-disable-next-line no-misleading-character-class
  /(?![\t\n\ufe0f])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

test(
  "text from a server, a config or a file can neither control a terminal nor be hidden from its reader",
  async () => {
    const all = PAYLOADS.join(" | ");
    const run = (): string => all;
    await using server = await serveHttp({
      name: all,
      version: all,
      instructions: all,
      tools: {
        say: { title: all, description: all, inputSchema: { type: "object", description: all }, run },
        fail: { run: () => Promise.reject(new Error(all)) },
        whole: { run: () => ({ content: [{ type: "resource_link", uri: `x://${all}`, name: all }] }) },
        ...Object.fromEntries(PAYLOADS.map((payload) => [`tool ${payload}`, { run }])),
      },
      resources: { "note://a": { name: all, mimeType: all, text: all } },
      prompts: { ask: { description: all, arguments: [{ name: all }], text: run } },
    });
    await using sandbox = await createSandbox();
    const remote = { type: "http", url: server.url };
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: {
        evil: remote,
        broken: { command: "sh", args: ["-c", `printf '%s' '${all.replaceAll("\0", "")}' >&2; exit 1`] },
      },
    });
    const theirs = { command: all, args: [all], env: { [all]: all }, label: all, [all]: all };
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { theirs, [all]: remote } });
    const runs: readonly (readonly string[])[] = [
      ["list", "--all"],
      ["tools"],
      ["tools", "evil"],
      ["tools", "--search", "tool"],
      ["test", "evil"],
      ["test", "broken"],
      ["status"],
      ["doctor"],
      ["explain", "theirs"],
      ["trust", "theirs"],
      ["pins", "diff", "evil"],
      ["call", "evil", "fail"],
      ["call", "evil", all],
      ["resources", "evil"],
      ["prompts", "evil"],
      ["logs", "broken"],
      [all],
    ];
    const said: string[] = [];
    for (const words of runs) {
      const { stdout, stderr } = await runCli(
        words.map((word) => word.replaceAll("\0", "")),
        { sandbox },
      );
      said.push(`${stdout}\n${stderr}`);
    }
    // A pipe gets results unchanged; a terminal gets them escaped.
    const shown = [
      "call evil say",
      "call evil say --select .text",
      "call evil whole --select .",
      "read evil note://a",
      "prompt evil ask",
    ];
    const answers = hasTerminal ? shown : [];
    for (const words of answers) said.push((await onTerminal(sandbox, `${words} --no-color`, "")).screen);
    expect(
      said.flatMap((text, at) =>
        RAW.test(text) ? [[runs[at] ?? answers[at - runs.length], RAW.exec(text)]] : [],
      ),
    ).toEqual([]);
    const whole = said.join("\n");
    const tame = PAYLOADS.filter((payload) => !whole.includes(payload) && whole.includes(safeText(payload)));
    report("terminal payloads: escaped by every command that can show them", tame.length, PAYLOADS.length);
    expect(tame).toEqual(PAYLOADS);
  },
  LONGEST_MS,
);

test("a server's name is escaped by every command that repeats it", async () => {
  await using sandbox = await createSandbox();
  const name = PAYLOADS.filter((payload) => !payload.includes("\0")).join(" ");
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { [name]: { url: "http://127.0.0.1:9" } } });
  const runs = [["logs"], ["enable"], ["disable"], ["enable"], ["logout"]];
  for (const [verb = "", ...flags] of runs) {
    const { code, stdout, stderr } = await runCli([verb, name, ...flags], { sandbox });
    expect([verb, code, RAW.exec(`${stdout}${stderr}`)]).toEqual([verb, 0, null]);
  }
});
