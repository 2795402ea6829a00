import { type LockCheck, VERSION } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { readScope } from "../../shared/commands/scope.ts";
import { displayContextOf } from "../../shared/display-context.ts";
import { renderPlace } from "../../shared/render/place.ts";
import { count } from "../../shared/render/server-list.ts";

/** Runs `lock`. */
export async function lockServers(context: CommandContext): Promise<ExitCode> {
  const { flags, json, printJson, terminal, style, program, signal } = context;
  const scope = readScope(flags["scope"]) ?? "project";
  const host = await context.openHost({ quiet: true });
  const written = await host.supply.lock({ scope, signal });
  if (json) {
    printJson(written);
    return 0;
  }
  const { file, servers, withoutTools } = written;
  terminal.out(
    `${style.good("✓")} Locked ${count(servers.length, "server")} in ${renderPlace({ file }, displayContextOf(context))}.\n`,
  );
  if (servers.length === 0 && scope === "project")
    terminal.err(`The project defines no servers. For your own servers: ${program} lock --scope user\n`);
  if (withoutTools.length > 0)
    terminal.err(
      `${style.warn("!")} The tools of these servers are not known yet: ${withoutTools.map(safeLine).join(", ")}\n  ${style.dim("→")} ${program} status\n`,
    );
  return 0;
}

/** Runs `verify`. */
export async function verifyServers(context: CommandContext): Promise<ExitCode> {
  const { flags, json, printJson, terminal, style, signal } = context;
  const scope = readScope(flags["scope"]) ?? "project";
  const host = await context.openHost({ quiet: true });
  const check = await host.supply.verify({ scope, signal });
  const { file, matches, differences, problems } = check;
  if (flags["sarif"] === true) {
    const report = toSarif(check);
    if (json) printJson(report);
    else terminal.out(`${JSON.stringify(report, undefined, 2)}\n`);
  } else if (json) printJson(check);
  else if (matches)
    terminal.out(
      `${style.good("✓")} Every server matches ${renderPlace({ file }, displayContextOf(context))}.\n`,
    );
  else {
    const lines = [
      ...problems.map(({ message }) => safeLine(message)),
      ...differences.map(({ server, message }) => `${style.name(safeLine(server))}: ${safeLine(message)}`),
    ];
    terminal.out(lines.map((line) => `${style.bad("✗")} ${line}\n`).join(""));
  }
  return matches ? 0 : 1;
}

/** Converts differences to a SARIF 2.1.0 log, for code scanning. */
function toSarif({ file, differences, problems }: LockCheck): object {
  const location = (line = 1): object => ({
    physicalLocation: {
      artifactLocation: { uri: file.split(/[\\/]/).at(-1) ?? file },
      region: { startLine: line },
    },
  });
  const result = (ruleId: string, text: string, line?: number): object => ({
    ruleId,
    level: "error",
    message: { text },
    locations: [location(line)],
  });
  const results = [
    ...problems.map(({ code, message, line }) => result(code, message, line)),
    ...differences.map(({ server, kind, message }) => result(`lock-${kind}`, `${server}: ${message}`)),
  ];
  const rules = new Set([
    ...problems.map(({ code }) => code as string),
    ...differences.map(({ kind }) => `lock-${kind}`),
  ]);
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "plugboard", version: VERSION, rules: [...rules].map((id) => ({ id })) },
        },
        results,
      },
    ],
  };
}
