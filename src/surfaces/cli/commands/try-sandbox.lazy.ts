import type { Host, LearnedSandbox, LearnOptions, SandboxTest } from "../../../index.ts";
import { safeLine, safeText } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { parseCallArguments, parseWholeInput } from "../../shared/input/call-arguments.ts";
import { describeDenial } from "../../shared/render/denial.ts";
import { shellWord } from "../../shared/shell-word.ts";
import { usageError } from "../../shared/usage-error.ts";

/** A server that needs more after so many rounds is better described in its entry. */
const MOST_ROUNDS = 10;

/** Runs `sandbox`. */
export async function trySandbox(context: CommandContext): Promise<ExitCode> {
  const [verb = "", server = "", tool] = context.words;
  const { flags } = context;
  if (verb === "test") {
    if (tool !== undefined || Object.keys(flags).some((flag) => flag in { input: 1, yes: 1, hash: 1 }))
      throw usageError("sandbox test takes only a server.");
    return showTest(context, server);
  }
  if (verb !== "learn")
    throw usageError(`Unknown argument: ${verb}`, `Usage: ${context.program} sandbox test|learn <server>`);
  if (flags["yes"] === true && typeof flags["hash"] !== "string") throw usageError("--yes requires --hash.");
  return learn(context, server, tool);
}

async function showTest(context: CommandContext, server: string): Promise<ExitCode> {
  const { json, printJson, terminal, style, signal } = context;
  const host = await context.openHost({ quiet: true });
  const test = await host.sandbox.test(server, { signal });
  if (json) printJson(test);
  else terminal.out(renderTest(test, style));
  return 0;
}

function renderTest(
  { server, access, probes, variables }: SandboxTest,
  style: CommandContext["style"],
): string {
  const words = {
    none: style.good("hidden "),
    read: style.warn("read   "),
    write: style.warn("write  "),
  };
  const lines = probes.map(({ name, path, access: found }) => {
    const shown = path === undefined ? name : safeLine(path);
    return `  ${words[found]} ${shown}${path !== undefined && name !== "path" ? style.dim(` (${name})`) : ""}`;
  });
  return [
    `The sandbox of ${style.bold(safeLine(server))}: ${safeLine(access)}`,
    "",
    ...lines,
    "",
    `  ${style.dim("variables")} ${variables.map(safeLine).join(", ")}`,
    "",
  ].join("\n");
}

async function learn(context: CommandContext, server: string, tool: string | undefined): Promise<ExitCode> {
  const { json, printJson, terminal, style, flags, signal, program } = context;
  const host = await context.openHost({ quiet: true });
  const call = tool === undefined ? undefined : await callOf(context, host, server, tool);
  const options: LearnOptions = { signal, ...(call && { call }) };
  for (let round = 1; ; round += 1) {
    const learned = await host.sandbox.learn(server, options);
    const { choice, failure, denials } = learned;
    const accepted = choice !== undefined && flags["yes"] === true && flags["hash"] === choice.hash;
    if (accepted) await host.sandbox.choose(server, choice, { signal });
    if (json) {
      printJson({ ...learned, saved: accepted });
      return 0;
    }
    terminal.out(renderLearned(learned, style));
    if (denials.length === 0) return failure === undefined ? 0 : 1;
    if (choice === undefined) return 0;
    const line = `${program} sandbox learn ${[server, ...context.words.slice(2)].map(shellWord).join(" ")} --yes --hash ${choice.hash}`;
    if (accepted) {
      terminal.out(`${style.good("✓")} Saved. The server uses this sandbox at its next start.\n`);
      return 0;
    }
    const answer =
      flags["yes"] === true || !terminal.canAnswer()
        ? undefined
        : await terminal.confirm("Use this sandbox from now on?");
    if (answer !== true) {
      terminal.err(`Nothing was saved. To use this sandbox: ${line}\n`);
      return answer === undefined && flags["yes"] === true ? 1 : 0;
    }
    await host.sandbox.choose(server, choice, { signal });
    terminal.out(`${style.good("✓")} Saved.\n`);
    if (round >= MOST_ROUNDS) return 0;
    terminal.err("Running it again with this sandbox …\n");
  }
}

/** Reads the arguments of the tool. Its schema is known if the server's list is cached or the server starts. */
async function callOf(
  { words, flags, terminal, signal }: CommandContext,
  host: Host,
  server: string,
  tool: string,
): Promise<NonNullable<LearnOptions["call"]>> {
  const known = await host.tools(server, { signal }).catch(() => []);
  const schema = known.find((candidate) => candidate.tool === tool)?.inputSchema ?? {};
  const { input } = flags;
  const start = typeof input === "string" ? await parseWholeInput(input, terminal.readAllInput) : {};
  return { tool, args: await parseCallArguments(words.slice(3), schema, start) };
}

function renderLearned(
  { server, denials, isComplete, failure, choice }: LearnedSandbox,
  style: CommandContext["style"],
): string {
  const lines: string[] = [];
  if (failure !== undefined) lines.push(`${style.bad("✗")} ${safeText(failure)}`, "");
  if (denials.length === 0 && failure !== undefined)
    lines.push(`${style.warn("!")} No refusal of the sandbox of "${safeLine(server)}" was found.`);
  else if (denials.length === 0)
    lines.push(`${style.good("✓")} The sandbox of "${safeLine(server)}" refused nothing.`);
  else
    lines.push(
      `The sandbox of "${safeLine(server)}" refused:`,
      ...denials.map(
        (denial) =>
          `  ${describeDenial(denial)}${denial.isSensitive ? style.warn("  (may contain credentials; not proposed)") : ""}`,
      ),
    );
  if (!isComplete)
    lines.push(
      style.dim(
        "Only paths that the server's messages name were found. With strace installed, every path is found.",
      ),
    );
  if (choice !== undefined)
    lines.push(
      "",
      `Proposed: "sandbox": ${safeLine(JSON.stringify(choice.sandbox))}`,
      `  ${safeLine(choice.access)}`,
      `${style.dim("sha256")} ${choice.hash}`,
    );
  return `${lines.join("\n")}\n`;
}
