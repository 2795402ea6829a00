import { expect, test } from "vitest";
import { COMMANDS } from "../../src/surfaces/cli/commands/index.ts";
import { overview } from "../../src/surfaces/cli/commands/overview.ts";
import type { Command, Flag } from "../../src/surfaces/shared/command.ts";
import { GLOBAL_FLAGS } from "../../src/surfaces/shared/parse-words.ts";

/** `npx vitest run test/docs/man.test.ts -u` writes the page anew. */
test("the manual page says what the program says", async () => {
  await expect(page()).toMatchFileSnapshot("../../docs/plugboard.1");
});

const EXIT_STATUS = [
  ["0", "done"],
  ["1", "it failed, or the tool answered with an error"],
  ["2", "wrong usage"],
  ["3", "a person is needed: to approve, to sign in, to give a value"],
  ["130", "cancelled"],
];
const FILES = [
  ["~/.plugboard/mcp.json", "your own servers"],
  [".plugboard/mcp.json", "a project's, nearest from the working folder up"],
  ["~/.plugboard/settings.json", "settings"],
  ["$XDG_STATE_HOME/plugboard", "approvals, pins, sign-ins, logs of servers"],
  ["$XDG_CACHE_HOME/plugboard", "what servers offered the last time"],
];
const VARIABLES = [
  ["PLUGBOARD_HOME", "another place for all of these"],
  ["PLUGBOARD_MCP_CONFIG_PATH", "a config file that comes before all others"],
  ["PLUGBOARD_MCP_CONFIG_JSON", "the same, inline"],
  ["PLUGBOARD_KEYCHAIN", "off keeps the vault's key in a file instead of the system's keychain"],
  [
    "ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, GEMINI_API_KEY, OLLAMA_HOST",
    "the models of the chat",
  ],
  ["NO_COLOR", "plain text"],
  ["HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "as curl has them"],
  ["NODE_EXTRA_CA_CERTS", "a file of certificates that are trusted, too"],
];

function page(): string {
  return `${[
    '.TH PLUGBOARD 1 "" "Plugboard" "User Commands"',
    ".SH NAME",
    "plugboard \\- find, approve, run and use MCP servers",
    ".SH SYNOPSIS",
    ".B plugboard",
    "[\\fIcommand\\fR] [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    text(
      "Plugboard finds the MCP servers that are configured on this machine in the files of some forty tools, asks before a project's run, signs in, and uses their tools, resources and prompts. Without a command, on a terminal, it opens interactive mode.",
    ),
    ".SH OPTIONS FOR EVERY COMMAND",
    ...flagList(GLOBAL_FLAGS),
    ".SH OPTIONS WITHOUT A COMMAND",
    ...flagList(overview.flags),
    ".SH COMMANDS",
    ...COMMANDS.flatMap(section),
    ".SH EXIT STATUS",
    ...pairs(EXIT_STATUS),
    ".SH FILES",
    ...pairs(FILES),
    ".SH ENVIRONMENT",
    ...pairs(VARIABLES),
  ].join("\n")}\n`;
}

function section({ name, parameters, summary, notes = [], flags, examples }: Command): string[] {
  return [
    `.SS "plugboard ${text([name, parameters].filter(Boolean).join(" ")).replaceAll('"', "\\(dq")}"`,
    text(summary),
    ...notes.flatMap((note) => [".br", text(note)]),
    ...flagList(flags),
    ".PP",
    ".nf",
    ...examples.map((example) => text(`  ${example}`)),
    ".fi",
  ];
}

function flagList(flags: Readonly<Record<string, Flag>>): string[] {
  return Object.entries(flags).flatMap(([name, { short, value, summary }]) => [
    ".TP",
    `\\fB${text([short && `-${short},`, `--${name}`, value].filter(Boolean).join(" "))}\\fR`,
    text(summary),
  ]);
}

function pairs(list: readonly (readonly string[])[]): string[] {
  return list.flatMap(([term = "", words = ""]) => [".TP", `\\fB${text(term)}\\fR`, text(words)]);
}

/** Nothing in it is taken for an order to the typesetter. */
function text(words: string): string {
  return words.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^[.']/, "\\&$&");
}
