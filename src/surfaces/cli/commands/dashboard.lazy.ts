import { findDaemon } from "../../../find-daemon.lazy.ts";
import { createGateway } from "../../../gateway.ts";
import { openInBrowser, requestDashboard } from "../../../open-dashboard.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { usageError } from "../../shared/usage-error.ts";

/** Flags that apply to one run only, which a daemon cannot know. */
const OF_ONE_RUN = ["alone", "trust-project", "timeout", "verbose"];

/** Opens the dashboard of a running gateway, of the daemon, or of a gateway in this process. */
export async function openDashboard(context: CommandContext): Promise<ExitCode> {
  const { flags } = context;
  const readOnly = flags["read-only"] === true;
  const { url } = flags;
  if (typeof url === "string") {
    if (flags["alone"] === true) throw usageError("Use either --url or --alone, not both.");
    return show(context, await requestDashboard(url, { readOnly }));
  }
  const daemonUrl = await daemonAddress(context);
  if (daemonUrl !== undefined) return show(context, await requestDashboard(daemonUrl, { readOnly }));
  return serveHere(context, readOnly);
}

/** Returns the address of the daemon's HTTP server for this folder. Starts the daemon if the user agreed to that. */
async function daemonAddress({ flags, standalone }: CommandContext): Promise<string | undefined> {
  if (OF_ONE_RUN.some((flag) => flags[flag] !== undefined && flags[flag] !== false)) return undefined;
  const daemon = findDaemon();
  const cwd = standalone?.hostOptions().cwd ?? process.cwd();
  const running = await daemon.openHttp(cwd);
  if (running !== undefined || (await daemon.whyNotAutomatic()) !== undefined) return running?.url;
  await daemon.start();
  return (await daemon.openHttp(cwd))?.url;
}

async function serveHere(context: CommandContext, readOnly: boolean): Promise<ExitCode> {
  const { standalone, expectInterrupt, signal, json, terminal } = context;
  expectInterrupt();
  const gateway = await createGateway({ ...standalone?.hostOptions() });
  standalone?.onExit(gateway);
  const dashboard = await gateway.openDashboard();
  await show(context, dashboard.createAddress({ readOnly }));
  if (!json) terminal.out("Press Ctrl-C to stop.\n");
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  return 0;
}

async function show(
  { flags, json, printJson, terminal }: CommandContext,
  address: string,
): Promise<ExitCode> {
  const isOpened = !json && flags["no-open"] !== true && (await openInBrowser(address));
  if (json) printJson({ address });
  else if (isOpened) terminal.out("The dashboard opens in your browser.\n");
  else terminal.out(`Open this address within a minute. It works once:\n${address}\n`);
  return 0;
}
