import type { Host, SandboxDenial } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext } from "../command.ts";
import { describeDenial } from "../render/denial.ts";
import { shellWord } from "../shell-word.ts";

type AskContext = Pick<CommandContext, "terminal" | "style" | "signal" | "program">;

/** A server that needs more after so many starts is better described in its entry. */
const MOST_RETRIES = 5;

/** Asks about each thing that a server's sandbox refused. Without a terminal, says how to allow it. Returns whether any was allowed. */
export async function askAboutDenials(
  context: AskContext,
  host: Pick<Host, "sandbox">,
  server: string,
  denials: readonly SandboxDenial[],
): Promise<boolean> {
  const { terminal, style, program } = context;
  let isAllowed = false;
  for (const denial of denials) {
    terminal.err(`${style.warn("!")} The server's sandbox refused ${describeDenial(denial)}.\n`);
    if (terminal.canAnswer() && denial.target !== "*")
      isAllowed = (await allow(context, host, server, denial)) || isAllowed;
  }
  if (isAllowed) terminal.err(`${style.good("✓")} Allowed from now on. Use the tool again.\n`);
  else if (denials.length > 0)
    terminal.err(`  ${style.dim("→")} ${program} sandbox learn ${shellWord(server)}\n`);
  return isAllowed;
}

/** Asks about what prevented the start of a server, and repeats the call while more is allowed. */
export async function allowAndRetry<T>(
  context: AskContext,
  host: Pick<Host, "sandbox">,
  server: string,
  { error, retry }: { readonly error: unknown; retry(): Promise<T> },
): Promise<T> {
  let failure = error;
  const asked = new Set<string>();
  for (let tries = 0; tries < MOST_RETRIES; tries += 1) {
    const denials = host.sandbox
      .denials(server)
      .filter(({ kind, target }) => !asked.has(`${kind} ${target}`));
    for (const { kind, target } of denials) asked.add(`${kind} ${target}`);
    if (!(await askAboutDenials(context, host, server, denials))) throw failure;
    try {
      return await retry();
    } catch (next) {
      failure = next;
    }
  }
  throw failure;
}

async function allow(
  { terminal, style, signal }: AskContext,
  host: Pick<Host, "sandbox">,
  server: string,
  denial: SandboxDenial,
): Promise<boolean> {
  const choice = await host.sandbox.propose(server, [denial], { signal });
  terminal.err(`  ${style.dim("its sandbox would be")} ${safeLine(choice.access)}\n`);
  if ((await terminal.confirm("Allow this from now on?")) !== true) return false;
  await host.sandbox.choose(server, choice, { signal });
  return true;
}
