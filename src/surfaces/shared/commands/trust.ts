import {
  type ApprovalRequest,
  type Host,
  HostError,
  type LaunchInspection,
  type SandboxChoice,
} from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderApproval } from "../render/approval.ts";
import { toErrorDocument } from "../render/error.ts";
import { renderPlace } from "../render/place.ts";
import { renderTable } from "../render/table.ts";
import { askWithChoices, describeChoice, readSandbox, SANDBOX_FLAG } from "../sandbox-choice.ts";
import { shellWord } from "../shell-word.ts";
import { usageError } from "../usage-error.ts";

export const trust: Command = {
  name: "trust",
  summary: "Review what a project's server would run, and approve it.",
  parameters: "[server]",
  words: { least: 0, most: 1 },
  flags: {
    list: { type: "boolean", summary: "list all approved servers and always allowed tools" },
    yes: { type: "boolean", short: "y", summary: "approve without a prompt; requires --hash" },
    hash: { type: "string", value: "<sha256>", summary: "hash of the launch you reviewed" },
    sandbox: SANDBOX_FLAG,
  },
  examples: [
    "plugboard trust github",
    "plugboard trust --list",
    "plugboard trust github --yes --hash 3f2a9c…",
  ],
  async run(context) {
    const [server] = context.words;
    const { json, printJson, terminal, style, program } = context;
    if (context.flags["list"] === true) return listApprovals(context);
    const host = await context.openHost();
    if (server === undefined) throw missingServer(host, program);
    const launch = host.approvals.request(server);
    const inspection = await host.approvals.inspect(server);
    const choices = choicesFor(context, inspection);
    const request = { ...launch, hash: choices[0]?.hash ?? inspection.hash };
    const [only, ...rest] = choices;
    const isChosen = context.flags["sandbox"] !== undefined && only !== undefined && rest.length === 0;
    if (isChosen && (request.status === "notNeeded" || request.status === "approved"))
      return changeSandbox(context, host, server, only);
    if (request.status === "notNeeded" || request.status === "approved") {
      if (json) printJson({ ...request, inspection });
      else
        terminal.out(
          `${request.status === "approved" ? `"${server}" is already approved.` : `"${server}" is your own server and does not need approval.`}\n`,
        );
      return 0;
    }
    if (!json) terminal.out(renderApproval(request, style, displayContextOf(context), inspection, choices));
    const hash = await approvedHash(context, request, choices);
    if (hash instanceof HostError) {
      if (!json) throw hash;
      // Include the launch, so that a user who reads the JSON can review it.
      printJson({
        ...toErrorDocument(hash, { verb: "trust", program }),
        approval: { ...request, inspection },
      });
      return 3;
    }
    // The hash of the launch alone does not cover the variables of its envFile.
    if (hash === launch.hash && hash !== request.hash)
      throw new HostError(
        "POLICY_HASH_MISMATCH",
        `This hash for "${server}" does not cover its envFile. The full hash is ${request.hash}.`,
        { server, hint: "Review the launch again, then approve that hash." },
      );
    const approved = await host.approvals.approve(server, hash);
    if (json) printJson({ ...approved, inspection });
    else terminal.out(`${style.good("✓")} Approved. Plugboard asks again if the launch changes.\n`);
    return 0;
  },
};

/** Names the servers that could be meant. */
function missingServer(host: Host, program: string): HostError {
  const names = host
    .servers()
    .map(({ name }) => name)
    .filter((name) => requiresApproval(host, name));
  const [first] = names;
  if (first === undefined) return usageError("Missing <server>.", `Usage: ${program} trust <server>`);
  return usageError(
    "Missing <server>.",
    `Requires approval: ${names.map(safeLine).join(", ")}. For example: ${program} trust ${shellWord(first)}`,
  );
}

/** Returns whether a server of a project requires approval. */
export function requiresApproval(host: Host, server: string): boolean {
  const { status } = host.approvals.request(server);
  return status !== "approved" && status !== "notNeeded";
}

/** Changes the sandbox of a server that may already run. */
async function changeSandbox(
  { json, printJson, terminal, style, flags }: CommandContext,
  host: Host,
  server: string,
  choice: SandboxChoice,
): Promise<ExitCode> {
  if (!json)
    terminal.out(
      `"${safeLine(server)}" would be ${describeChoice(choice.sandbox)}: ${safeLine(choice.access)}\n${style.dim("sha256")} ${choice.hash}\n`,
    );
  const given = flags["yes"] === true && flags["hash"] === choice.hash;
  const answer =
    given || (json || flags["yes"] === true ? undefined : await terminal.confirm("Use this from now on?"));
  if (answer !== true)
    throw new HostError("INTERACTION_REQUIRED", `The sandbox of "${server}" was not changed.`, {
      server,
      reason: "trust",
      ...(answer === undefined && { hint: `Add --yes --hash ${choice.hash} to change it without a prompt.` }),
    });
  await host.sandbox.choose(server, choice);
  if (json) printJson({ server, ...choice });
  else terminal.out(`${style.good("✓")} Saved. The server uses it at its next start.\n`);
  return 0;
}

/** Returns the sandboxes to choose from, or the one that `--sandbox` names. */
function choicesFor({ flags }: CommandContext, { choices = [] }: LaunchInspection): readonly SandboxChoice[] {
  const wanted = readSandbox(flags["sandbox"]);
  if (wanted === undefined) return choices;
  const found = choices.filter(({ sandbox }) => JSON.stringify(sandbox) === JSON.stringify(wanted));
  if (found.length === 0)
    throw usageError(
      "--sandbox has no effect on this server.",
      "Its entry or your settings decide about its sandbox, it is not a local program, or this system has no sandbox.",
    );
  return found;
}

/** Asks for approval and, if there are several choices, for one of them. Returns the hash to approve, or `false`. */
async function ask(
  context: Pick<CommandContext, "terminal" | "signal">,
  hash: string,
  choices: readonly SandboxChoice[],
): Promise<string | false | undefined> {
  const index = await askWithChoices(context, "Allow this server to run?", choices);
  return typeof index === "number" ? (choices[index]?.hash ?? hash) : index;
}

async function listApprovals(context: CommandContext): Promise<ExitCode> {
  const { json, printJson, terminal, style } = context;
  const display = displayContextOf(context);
  const { approvals } = await context.openHost();
  const given = approvals.list();
  const calls = await approvals.allowedCalls();
  if (json) {
    printJson({ approvals: given, calls });
    return 0;
  }
  if (given.length + calls.length === 0) terminal.out("No approvals are recorded.\n");
  const words = {
    approved: "active",
    active: "always allowed",
    changed: "changed, needs approval again",
    elsewhere: "not in use here",
  };
  const rows = [
    ...given.map(({ approvedAt = "", ...approval }) => ({ ...approval, tool: "", at: approvedAt })),
    ...calls.map(({ allowedAt, ...call }) => ({ ...call, at: allowedAt })),
  ].map(({ server, tool, status, file, at }) => [
    { text: safeLine(`${server} ${tool}`.trimEnd()) },
    { text: words[status], ...(status === "changed" && { paint: style.warn }) },
    { text: renderPlace({ file }, display) },
    { text: at.slice(0, 10), paint: style.dim },
  ]);
  for (const line of renderTable(rows)) terminal.out(`${line}\n`);
  return 0;
}

/**
 * Returns the hash that the user approved, by confirming or by passing `--hash`. Otherwise returns the error. `--yes`
 * requires the hash, so that a script can approve only a launch that was reviewed.
 */
async function approvedHash(
  { flags, json, terminal, program, signal }: CommandContext,
  request: ApprovalRequest,
  choices: readonly SandboxChoice[],
): Promise<string | HostError> {
  const { yes, hash } = flags;
  if (typeof hash === "string" && yes === true) return hash;
  const line = `${program} trust ${shellWord(request.server)} --yes --hash ${request.hash}`;
  const others =
    choices.length < 2 ? "" : "\n  Add --sandbox network or --sandbox off to see the hash of another choice.";
  if (yes === true) throw usageError("--yes requires --hash.", `To approve this launch: ${line}`);
  const answer = json ? undefined : await ask({ terminal, signal }, request.hash, choices);
  if (typeof answer === "string") return answer;
  const { server } = request;
  if (answer === false) {
    return new HostError("INTERACTION_REQUIRED", `"${server}" was not approved.`, {
      server,
      reason: "trust",
    });
  }
  return new HostError("INTERACTION_REQUIRED", `Approving "${server}" requires confirmation.`, {
    server,
    reason: "trust",
    hint: `To approve this launch without a terminal: ${line}${others}`,
  });
}
