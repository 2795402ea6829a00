import { expect, test } from "vitest";
import { COMMANDS } from "../../src/surfaces/cli/commands/index.ts";
import { overview } from "../../src/surfaces/cli/commands/overview.ts";
import type { Command, Flag } from "../../src/surfaces/shared/command.ts";
import { GLOBAL_FLAGS } from "../../src/surfaces/shared/parse-words.ts";

/** `npx vitest run test/docs/man.test.ts -u` regenerates the page. */
test("the manual page matches the program", async () => {
  await expect(page()).toMatchFileSnapshot("../../docs/plugboard.1");
});

const EXIT_STATUS = [
  ["0", "success"],
  ["1", "the command failed, or the tool returned an error"],
  ["2", "usage error"],
  ["3", "a person must act: approve a server, sign in, provide a value"],
  ["130", "cancelled"],
];
const FILES = [
  ["~/.plugboard/mcp.json", "your own servers"],
  [".plugboard/mcp.json", "a project's servers; the nearest file from the working folder up is used"],
  ["~/.plugboard/settings.json", "settings"],
  ["$XDG_STATE_HOME/plugboard", "approvals, pins, sign-ins, secrets, servers' logs"],
  ["$XDG_CACHE_HOME/plugboard", "cached lists of tools, resources and prompts"],
];
const VARIABLES = [
  ["PLUGBOARD_HOME", "a folder for all of these files"],
  ["PLUGBOARD_MCP_CONFIG_PATH", "a config file that takes precedence over all others"],
  ["PLUGBOARD_MCP_CONFIG_JSON", "the same as inline JSON"],
  ["PLUGBOARD_KEYCHAIN", "off: store the vault's key in a file instead of the system's keychain"],
  [
    "ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY, GEMINI_API_KEY, OLLAMA_HOST",
    "API keys and hosts of the models for the chat",
  ],
  ["NO_COLOR", "turn colours off"],
  ["HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "proxies, as in curl"],
  ["NODE_EXTRA_CA_CERTS", "a file with additional trusted certificates"],
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
      "Plugboard finds the MCP servers on this machine in the config files of about forty tools. It asks before it runs a project's servers, signs in to servers, and uses their tools, resources and prompts. On a terminal, without a command, it opens interactive mode.",
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

/** Escapes the text for roff. */
function text(words: string): string {
  return words.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^[.']/, "\\&$&");
}
