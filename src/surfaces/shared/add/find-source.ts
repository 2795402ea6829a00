import {
  type Host,
  HostError,
  type InputRequest,
  isHostError,
  type JsonObject,
  type RegistryEntry,
  type ServerCard,
} from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext } from "../command.ts";
import { describeSize } from "../render/describe-size.ts";
import { count } from "../render/server-list.ts";
import { shellWord } from "../shell-word.ts";
import { usageError } from "../usage-error.ts";
import type { AddSource } from "./add-source.ts";
import { readInstallLink } from "./install-link.ts";

/** A server that is not configured yet. All of it is untrusted. */
export interface Found {
  readonly name: string;
  readonly server: JsonObject;
  readonly inputs: readonly InputRequest[];
  /** Prepares the files of the server, after the user has agreed. */
  readonly install?: () => Promise<unknown>;
}

/** Finds the server that a source names, and prints warnings about it. */
export async function find(context: CommandContext, host: Host, source: AddSource): Promise<Found> {
  switch (source.kind) {
    case "link":
      return readInstallLink(source.link);
    case "registry":
      return fromRegistry(context, host, source);
    case "site":
      return fromSite(context, host, source.address);
    case "mcpb":
      return fromBundle(context, host, source.file);
  }
}

async function fromRegistry(
  context: CommandContext,
  host: Host,
  { name, version }: Extract<AddSource, { kind: "registry" }>,
): Promise<Found> {
  const { signal, program } = context;
  const asked = { signal, ...(version !== undefined && { version }) };
  const entry = await host.registry.find(name, asked).catch((error: unknown) => {
    if (!isHostError(error, "SERVER_UNKNOWN")) throw error;
    const hint =
      version === undefined
        ? `Find its name: ${program} search ${name.slice(name.indexOf("/") + 1)}`
        : `The latest version: ${program} add ${name}`;
    throw new HostError("SERVER_UNKNOWN", error.message, { hint }); // without the server, which other commands do not know either
  });
  if (entry.storedAt !== undefined)
    warn(context, `The registry cannot be reached. This result is from ${entry.storedAt}.`);
  return chooseLaunch(context, entry);
}

/** A card can describe a server of another site, so the user must see its address. */
async function fromSite(context: CommandContext, host: Host, address: string): Promise<Found> {
  const { signal, program } = context;
  const cards = await host.registry.cards(address, { signal });
  const [card] = cards;
  if (card === undefined || cards.length > 1)
    throw usageError(
      `${safeLine(address)} offers several servers.`,
      `Name one: ${cards.map((each) => `${program} add ${shellWord(each.cardUrl)}`).join(" or ")}`,
    );
  for (const other of otherHosts(card, address))
    warn(context, `The server is at ${other}, not at this website.`);
  return chooseLaunch(context, card);
}

function otherHosts({ launches }: ServerCard, address: string): string[] {
  const host = hostOf(/^https?:\/\//i.test(address) ? address : `https://${address}`);
  const isOwn = (name: string): boolean => name === host || name.endsWith(`.${host}`);
  const hosts = launches.map(({ server: { url } }) => hostOf(String(url))).filter((name) => name !== "");
  return [...new Set(hosts.filter((name) => !isOwn(name)))].map(safeLine);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, "") : "";
}

function chooseLaunch(context: CommandContext, entry: RegistryEntry): Found {
  const { name } = entry;
  const via = typeof context.flags["via"] === "string" ? context.flags["via"] : undefined;
  const launch = entry.launches.find(({ kind }) => via === undefined || kind === via);
  if (entry.resembles !== undefined)
    warn(context, `The name ${safeLine(name)} resembles ${entry.resembles}. It may be an imitation.`);
  if (entry.status !== "active") {
    const reason = entry.statusMessage === undefined ? "" : `: ${safeLine(entry.statusMessage)}`;
    warn(context, `Version ${safeLine(entry.version)} is ${entry.status}${reason}.`);
  }
  if (launch === undefined) {
    const reasons = entry.refused.map(({ kind, reason }) => `${safeLine(kind)}: ${safeLine(reason)}`);
    const kinds = entry.launches.map(({ kind }) => kind).join(", ");
    throw new HostError(
      "SERVER_INVALID",
      `Plugboard cannot use "${name}"${via === undefined ? "" : ` via ${via}`}.`,
      {
        server: name,
        hint:
          kinds === ""
            ? reasons.join("; ") || "It does not describe how to run or reach the server."
            : `Use --via ${kinds}.`,
      },
    );
  }
  const others = entry.launches.filter((other) => other !== launch).map(({ kind }) => safeLine(kind));
  if (others.length > 0 && via === undefined)
    context.terminal.err(
      `Using ${safeLine(launch.kind)}; also available: --via ${[...new Set(others)].join(", --via ")}\n`,
    );
  return { name: name.slice(name.indexOf("/") + 1), server: launch.server, inputs: launch.inputs };
}

async function fromBundle({ terminal, signal }: CommandContext, host: Host, file: string): Promise<Found> {
  const bundle = await host.config.readMcpb(file, { signal });
  const about = [bundle.name, bundle.version].filter((text) => text !== "").join(" ");
  terminal.err(`${about}: ${count(bundle.files, "file")}, ${describeSize(bundle.bytes)}\n`);
  if (bundle.description !== "") terminal.err(`${bundle.description}\n`);
  return {
    name: bundle.name,
    server: bundle.server,
    inputs: bundle.inputs,
    install: () => host.config.unpackMcpb(file, bundle.sha256, { signal }),
  };
}

function warn({ terminal, style }: CommandContext, text: string): void {
  terminal.err(`${style.warn("!")} ${text}\n`);
}
