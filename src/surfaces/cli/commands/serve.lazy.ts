import { linesOf } from "../../../client-lines.ts";
import { type DaemonControl, findDaemon } from "../../../find-daemon.lazy.ts";
import {
  createGateway,
  type GatewayOptions,
  type ServingOptions,
  type StoreSettings,
} from "../../../gateway.ts";
import { type HostOptions, messageOf } from "../../../index.ts";
import { type ServeHttpOptions, serveHttp } from "../../../serve-http.ts";
import { servePipe } from "../../../serve-pipe.ts";
import type { CommandContext, ExitCode, FlagValue } from "../../shared/command.ts";
import { usageError } from "../../shared/usage-error.ts";
import { configFileOf } from "./config-file.ts";

/** Runs a gateway until its client disconnects or the user ends it. */
export async function serve(context: CommandContext): Promise<ExitCode> {
  const { flags, standalone } = context;
  if (flags["migrate-only"] === true || flags["rotate-key"] === true)
    return (await import("./team-database.lazy.ts")).prepareDatabase(context);
  const isStdio = flags["stdio"] === true;
  const configFile = configFileOf(context);
  if (isStdio && flags["config"] !== undefined) throw usageError("--stdio cannot be used with --config.");
  if (configFile !== undefined && !isStdio) {
    const { serveTeam } = await import("./serve-team.lazy.ts");
    return serveTeam(context, { configFile, address: flags["http"] });
  }
  if (flags["public"] === true || flags["behind-proxy"] === true)
    throw usageError(
      "Other machines may connect only to a gateway whose config file says who may use it: --config gateway.jsonc",
      "See docs/team.md.",
    );
  const address = typeof flags["http"] === "string" ? readAddress(flags["http"]) : undefined;
  if (isStdio === (address !== undefined)) throw usageError("Use either --stdio or --http [host]:port.");
  if (isStdio && context.json) throw usageError("--stdio cannot be used with --json.");
  const { names = "prefixed" } = flags;
  if (names !== "prefixed" && names !== "plain") throw usageError('--names must be "prefixed" or "plain".');
  const { mode = "direct", "max-tools": maxTools } = flags;
  if (mode !== "direct" && mode !== "meta" && mode !== "auto")
    throw usageError('--mode must be "direct", "meta" or "auto".');
  const offer = {
    servers: listOf(flags["server"]),
    bundles: listOf(flags["bundle"]),
    readOnly: flags["read-only"] === true,
    names,
    mode,
    ...(maxTools !== undefined && { mostTools: readCount(maxTools) }),
  } as const;
  const hostOptions = standalone?.hostOptions() ?? {};
  if (address === undefined) {
    await serveStdio(context, hostOptions, offer);
    return 0;
  }
  const store = await databaseOf(hostOptions);
  if (store === undefined) await listen(context, hostOptions, { address, offer });
  else await listenWithStore(context, { ...hostOptions, offer, store }, address);
  return 0;
}

/** Returns the database that the environment names. Loads nothing if it names none. */
async function databaseOf(hostOptions: HostOptions): Promise<StoreSettings | undefined> {
  if (!process.env["PLUGBOARD_GATEWAY_DATABASE_URL"]) return undefined;
  return (await import("../../../gateway-store.lazy.ts")).findStoreSettings(hostOptions, undefined);
}

/** Flags that apply to one run only, which a daemon cannot know. */
const OF_ONE_RUN = ["alone", "trust-project", "timeout", "verbose"];

async function serveStdio(
  context: CommandContext,
  hostOptions: HostOptions,
  offer: ServingOptions,
): Promise<void> {
  const { signal } = context;
  const daemon = await daemonFor(context);
  signal.addEventListener("abort", () => process.stdin.destroy(), { once: true });
  await servePipe({
    daemon,
    cwd: hostOptions.cwd ?? process.cwd(),
    offer,
    hostOptions,
    lines: linesOf(process.stdin),
    write: writeToClient,
    onFallback: warnAbout(context),
  });
}

/** Returns the daemon that a client may use, unless the servers must run in this process. */
async function daemonFor({ flags }: CommandContext): Promise<DaemonControl | undefined> {
  if (OF_ONE_RUN.some((flag) => flags[flag] !== undefined && flags[flag] !== false)) return undefined;
  const daemon = findDaemon();
  if ((await daemon.whyNotAutomatic()) === "not agreed") await daemon.agree();
  return daemon;
}

function warnAbout({ terminal }: CommandContext): (why: unknown) => void {
  return (why) =>
    terminal.err(`! The daemon cannot be used, so the servers run in this process. ${messageOf(why)}\n`);
}

/** Standard output belongs to the client, so nothing else may be printed to it. */
function writeToClient(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function listen(
  context: CommandContext,
  hostOptions: HostOptions,
  { address, offer }: Pick<ServeHttpOptions, "address" | "offer">,
): Promise<void> {
  const { expectInterrupt, signal } = context;
  expectInterrupt();
  await serveHttp({
    daemon: await daemonFor(context),
    cwd: hostOptions.cwd ?? process.cwd(),
    address,
    offer,
    hostOptions,
    signal,
    onListening: (server) => announce(context, server),
    onFallback: warnAbout(context),
  });
}

/** The daemon keeps its data in files, so a gateway with a database runs in this process. */
async function listenWithStore(
  context: CommandContext,
  options: GatewayOptions,
  address: ServeHttpOptions["address"],
): Promise<void> {
  const { expectInterrupt, signal, standalone } = context;
  const gateway = await createGateway(options);
  standalone?.onExit(gateway);
  expectInterrupt();
  announce(context, await gateway.listen(address));
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function announce(
  { terminal, json, printJson }: CommandContext,
  { url, tokenFile }: { readonly url: string; readonly tokenFile: string },
): void {
  if (json) printJson({ url, tokenFile });
  else terminal.out(`Listening on ${url}\nThe bearer token is in ${tokenFile}\nPress Ctrl-C to stop.\n`);
}

/** Reads `host:port`, `:port` or `[::1]:port`. */
function readAddress(text: string): { readonly host?: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw usageError(`Invalid address: ${text}`, "Use [host]:port, for example :7420 or 127.0.0.1:7420.");
  const host = bracketed ?? plain;
  return host === undefined || host === "" ? { port } : { host, port };
}

function readCount(text: FlagValue): number {
  const count = typeof text === "string" && /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count === 0) throw usageError("--max-tools must be a number of at least 1.");
  return count;
}

/** A list can be given with several flags and with commas. */
function listOf(value: FlagValue): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.flatMap((text: string) => text.split(",")).filter((text) => text !== "");
}
