import { isPublicHost, whyNotPublic } from "../../../team/check-public.ts";
import { startTeamGateway } from "../../../team/team-gateway.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode, FlagValue } from "../../shared/command.ts";
import { usageError } from "../../shared/usage-error.ts";

/** Flags that would not do what they say for a team: the policy decides what each person gets. */
const OF_ONE_USER = ["server", "bundle", "read-only", "names", "alone", "trust-project"];

/** Runs the gateway of a team until the user ends it. */
export async function serveTeam(
  context: CommandContext,
  { configFile, address: wanted }: { readonly configFile: string; readonly address: FlagValue },
): Promise<ExitCode> {
  const { flags, terminal, json, signal, standalone } = context;
  const useless = OF_ONE_USER.find(
    (flag) => flags[flag] !== undefined && flags[flag] !== false && !isEmptyList(flags[flag]),
  );
  if (useless !== undefined)
    throw usageError(`--${useless} cannot be used with --config. Use the policy in the file instead.`);
  const { mode = "direct", "max-tools": mostTools } = flags;
  if (mode !== "direct" && mode !== "meta" && mode !== "auto")
    throw usageError('--mode must be "direct", "meta" or "auto".');
  const gateway = await startTeamGateway({
    configFile,
    ...(typeof wanted === "string" && { address: wanted }),
    host: standalone?.hostOptions() ?? {},
    offer: { mode, ...(typeof mostTools === "string" && { mostTools: Number(mostTools) }) },
    check(config) {
      const why = whyNotPublic(config, {
        isPublic: flags["public"] === true,
        isBehindProxy: flags["behind-proxy"] === true,
      });
      if (why !== undefined) throw usageError(why);
    },
    onReload(problems) {
      terminal.err(problems.length === 0 ? "The config file was reloaded.\n" : toLines(problems));
    },
  });
  standalone?.onExit({
    async close() {
      await gateway.drain();
      await gateway.close();
    },
  });
  context.expectInterrupt();
  terminal.err(toLines(gateway.problems.map(({ message }) => message)));
  const { url, address, internalAddress } = gateway;
  if (json) context.printJson({ url, address, ...(internalAddress !== undefined && { internalAddress }) });
  else {
    const whom = isPublicHost(address.replace(/:\d+$/, "")) ? "" : " (this machine only)";
    const internal = internalAddress === undefined ? "" : `Metrics and health checks: ${internalAddress}\n`;
    terminal.out(
      `Clients connect to ${url}\nListening on ${address}${whom}\n${internal}Press Ctrl-C to stop.\n`,
    );
  }
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  return 0;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function toLines(problems: readonly string[]): string {
  return problems.map((problem) => `! ${safeLine(problem)}\n`).join("");
}
