import { type Host, HostError, messageOf, type PackageUpdate, type ToolDifference } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderEntryDifference } from "../render/difference.ts";
import { renderPlace } from "../render/place.ts";
import { renderTable } from "../render/table.ts";
import { renderToolDifferences } from "../render/tool-differences.ts";
import { shellWord } from "../shell-word.ts";
import { usageError } from "../usage-error.ts";

/** Runs `outdated`. */
export async function showOutdated(context: CommandContext): Promise<ExitCode> {
  const { words, flags, json, printJson, terminal, style, program, signal } = context;
  const [server] = words;
  const host = await context.openHost({ quiet: true });
  const packages = await host.supply.outdated({ signal, ...(server !== undefined && { server }) });
  const compared = new Map<string, Compared>();
  if (flags["tools"] === true)
    for (const { server: name, state, latest } of packages)
      if (state === "outdated" && latest !== undefined)
        compared.set(name, await compare(context, host, { server: name, version: latest }));
  const hasFailed =
    packages.some(({ failed }) => failed === true) ||
    [...compared.values()].some(({ error }) => error !== undefined);
  const code = hasFailed ? 1 : 0;
  if (json) {
    printJson({ packages: packages.map((update) => ({ ...update, ...compared.get(update.server) })) });
    return code;
  }
  terminal.out(renderUpdates(packages, context));
  for (const [name, result] of compared) terminal.out(`\n${renderCompared(name, result, context)}`);
  const first = packages.find(({ state }) => state === "outdated");
  if (first !== undefined)
    terminal.err(`  ${style.dim("→")} ${program} upgrade ${shellWord(first.server)}\n`);
  return code;
}

/** Runs `upgrade`. */
export async function upgradePackage(context: CommandContext): Promise<ExitCode> {
  const { words, flags, json, printJson, terminal, style, signal } = context;
  const [server = ""] = words;
  const host = await context.openHost();
  const version = await wantedVersion(context, host, server);
  if (version === undefined) {
    if (json) printJson({ name: server, written: false });
    else terminal.out(`${style.dim("·")} "${safeLine(server)}" already uses the newest version.\n`);
    return 0;
  }
  const request = { server, version, signal };
  const planned = await host.supply.upgrade({ ...request, dryRun: true });
  if (!json) terminal.out(`${renderEntryDifference(planned.before, planned.after, style).join("\n")}\n`);
  const compared = flags["tools"] === true ? await compare(context, host, request) : undefined;
  if (!json && compared !== undefined) terminal.out(renderCompared(server, compared, context));
  const isDryRun = flags["dry-run"] === true;
  if (!isDryRun && flags["yes"] !== true) {
    const answer = json ? undefined : await terminal.confirm(`Change "${safeLine(server)}" to ${version}?`);
    if (answer !== true)
      throw new HostError("INTERACTION_REQUIRED", "Nothing was changed.", {
        server,
        ...(answer === undefined && { hint: "Review the change, then add --yes." }),
      });
  }
  const edited = isDryRun ? planned : await host.supply.upgrade(request);
  if (json) printJson({ ...edited, version, ...compared, written: !isDryRun });
  else {
    const place = renderPlace({ file: edited.file }, displayContextOf(context));
    terminal.out(
      isDryRun
        ? `${style.dim("·")} Nothing was written to ${place}.\n`
        : `${style.good("✓")} "${safeLine(server)}" uses version ${version} (${place})\n`,
    );
  }
  return compared?.error === undefined ? 0 : 1;
}

/** Returns `undefined` if the entry already has the newest version. */
async function wantedVersion(
  { flags, signal }: CommandContext,
  host: Host,
  server: string,
): Promise<string | undefined> {
  const { to } = flags;
  if (typeof to === "string") {
    if (!/^\d[\w.+-]*$/.test(to))
      throw usageError(`Invalid --to value: ${safeLine(to)}.`, "Example: --to 1.2.0");
    return to;
  }
  const [update] = await host.supply.outdated({ server, signal });
  if (update?.latest === undefined || update.state === "unknown")
    throw new HostError(
      update?.failed === true ? "CONNECT_FAILED" : "SERVER_INVALID",
      `The newest version of "${server}" is not known: ${safeLine(update?.reason ?? "it has no package")}`,
      { server, hint: "Specify a version with --to." },
    );
  return update.state === "current" ? undefined : update.latest;
}

/** How the tools of another version differ, or why that is not known. */
interface Compared {
  readonly tools?: readonly ToolDifference[];
  readonly error?: string;
}

async function compare(
  { terminal, json, signal }: CommandContext,
  host: Host,
  { server, version }: { readonly server: string; readonly version: string },
): Promise<Compared> {
  if (!json) terminal.err(`Starting ${safeLine(server)} in version ${safeLine(version)} …\n`);
  try {
    return { tools: await host.supply.compareTools({ server, version, signal }) };
  } catch (error) {
    signal.throwIfAborted();
    return { error: messageOf(error) };
  }
}

function renderCompared(server: string, { tools, error }: Compared, { style }: CommandContext): string {
  const name = style.bold(safeLine(server));
  if (tools === undefined)
    return `${style.bad("✗")} The tools of ${name} cannot be compared: ${safeLine(error ?? "")}\n`;
  if (tools.length === 0) return `${name}: the tools stay the same.\n`;
  return `${name}: the tools differ.\n${renderToolDifferences(tools, style).join("\n")}\n`;
}

function renderUpdates(packages: readonly PackageUpdate[], { style }: CommandContext): string {
  const mark = ({ state, deprecated }: PackageUpdate): string =>
    state === "outdated" || deprecated !== undefined ? style.warn("!") : style.dim("·");
  const versions = ({ version, latest, state, reason = "" }: PackageUpdate): string => {
    if (state === "outdated") return `${version ?? ""} → ${latest ?? ""}`;
    if (state === "unpinned") return `not pinned (newest: ${latest ?? ""})`;
    return state === "current" ? `${version ?? ""} is the newest` : `unknown: ${reason}`;
  };
  const rows = packages.map((update) => [
    { text: safeLine(update.server) },
    { text: safeLine(update.package), paint: style.dim },
    {
      text: safeLine(versions(update)),
      ...(update.state === "outdated" && { paint: style.warn }),
    },
  ]);
  if (rows.length === 0) return "No server runs a package of npm or PyPI, or a container image.\n";
  return renderTable(rows)
    .flatMap((row, index) => {
      const update = packages[index];
      const reason = update?.deprecated;
      const line = update === undefined ? row : `${mark(update)} ${row}`;
      return reason === undefined ? [line] : [line, `    Do not use this version: ${safeLine(reason)}`];
    })
    .map((line) => `${line}\n`)
    .join("");
}
