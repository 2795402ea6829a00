import {
  type BrokenPackage,
  type Finding,
  type Host,
  HostError,
  type ServerView,
  type UnsandboxedServers,
} from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { displayContextOf } from "../display-context.ts";
import { renderDiagnosis } from "../render/diagnosis.ts";
import { shellWord } from "../shell-word.ts";

const HINTS = {
  "value-dynamic": "The server runs without this value until you fix it.",
  "value-unresolved": "Set the missing value, or ignore this if it is intentional.",
};

export const doctor: Command = {
  name: "doctor",
  summary: "Check every config file and suggest fixes. Exits 1 if there are errors.",
  parameters: "[server]",
  words: { least: 0, most: 1 },
  flags: {
    fix: {
      type: "boolean",
      summary: "remove packages that an interrupted installation left incomplete; asks first",
    },
    yes: { type: "boolean", short: "y", summary: "with --fix: do not ask" },
  },
  examples: ["plugboard doctor", "plugboard doctor github --json", "plugboard doctor --fix"],
  async run(context) {
    const [name] = context.words;
    const host = await context.openHost();
    if (context.flags["fix"] === true) return fix(context, host, name);
    const read = host.doctor.diagnose(name);
    const unanswered = await host.doctor.checkValues(name);
    const findings = unanswered.map(({ server = "", severity, message, code }) => ({
      server,
      severity,
      message,
      hint: HINTS[code === "value-dynamic" ? code : "value-unresolved"],
    }));
    const missing = await host.doctor.checkPrograms(name);
    const broken = (await host.doctor.checkPackages(name)).map(describeBroken);
    const tools = (await host.doctor.checkTools(name)).map(({ server = "", severity, message }) => ({
      server,
      severity,
      message,
    }));
    const vault = name === undefined ? await host.doctor.checkVault() : [];
    const signIns = await signInFindings(host, read.servers);
    const diagnosis = {
      ...read,
      findings: [...read.findings, ...findings, ...missing, ...broken, ...tools, ...signIns],
      problems: [...read.problems, ...vault],
    };
    const daemon = await describeDaemon();
    const unsandboxed = name === undefined ? await host.sandbox.missing() : { servers: [] };
    if (context.json) context.printJson({ ...diagnosis, daemon, unsandboxed });
    else {
      context.terminal.out(renderDiagnosis(diagnosis, context.style, displayContextOf(context)));
      context.terminal.out(suggestSandbox(unsandboxed, context));
      if (daemon.running)
        context.terminal.out(`The daemon runs (process ${daemon.pid}). To stop it: plugboard daemon stop\n`);
    }
    const problems = [...diagnosis.problems, ...diagnosis.files.flatMap((file) => file.problems)];
    const bad = [...problems, ...diagnosis.findings].some(({ severity }) => severity === "error");
    return bad ? 1 : 0;
  },
};

const MOST_NAMES = 5;

/** Suggests a sandbox for local servers without one, or says why there is none. */
function suggestSandbox(
  { servers, unavailable }: UnsandboxedServers,
  { style, program }: CommandContext,
): string {
  const [first] = servers;
  if (first === undefined) return "";
  const others = servers.length - MOST_NAMES;
  const names = `${servers.slice(0, MOST_NAMES).map(safeLine).join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
  const found = `${style.dim("·")} ${servers.length === 1 ? "1 local server runs" : `${servers.length} local servers run`} without a sandbox: ${names}.\n`;
  const next =
    unavailable === undefined
      ? `To run one in a sandbox: ${program} trust ${shellWord(first)} --sandbox on`
      : `There is no sandbox, because ${unavailable}.`;
  return `${found}  ${style.dim("→")} ${safeLine(next)}\n`;
}

/** Returns whether the user's daemon runs. A daemon that cannot be reached counts as not running. */
async function describeDaemon(): Promise<{ readonly running: boolean; readonly pid?: number }> {
  const { findDaemon } = await import("../../../find-daemon.lazy.ts");
  const status = await findDaemon()
    .status()
    .catch(() => undefined);
  const pid = status?.["pid"];
  return typeof pid === "number" ? { running: true, pid } : { running: false };
}

function describeBroken({ server, package: name, folder, because }: BrokenPackage): Finding {
  return {
    server,
    severity: "error",
    message: `"${server}": npm's copy of ${name} is incomplete, because an installation was interrupted (${because} in ${folder}).`,
    hint: "It fails for every program on this machine that runs it with npx. To remove it: plugboard doctor --fix",
  };
}

/** Removes incomplete packages. The next start of the server installs the package again. */
async function fix(context: CommandContext, host: Host, name: string | undefined): Promise<ExitCode> {
  const { json, printJson, terminal, style } = context;
  const broken = await host.doctor.checkPackages(name);
  if (broken.length === 0) {
    if (json) printJson({ removed: [] });
    else terminal.out("Nothing to fix: no incomplete packages.\n");
    return 0;
  }
  if (!json)
    for (const { folder, package: spec } of broken) terminal.out(`${safeLine(spec)}: ${safeLine(folder)}\n`);
  const isAgreed =
    context.flags["yes"] === true ||
    (json ? undefined : await terminal.confirm("Remove these incomplete packages?"));
  if (isAgreed !== true)
    throw new HostError("INTERACTION_REQUIRED", "Nothing was removed.", {
      ...(isAgreed === undefined && { hint: "Add --yes to remove them without asking." }),
    });
  const removed = await host.doctor.repairPackages(name);
  if (json) printJson({ removed });
  else
    for (const { server, package: spec } of removed)
      terminal.out(
        `${style.good("✓")} Removed ${safeLine(spec)}. The next start of "${safeLine(server)}" installs it again.\n`,
      );
  return 0;
}

/** Reports which sign-in is sent to which server. */
async function signInFindings(host: Host, servers: readonly ServerView[]): Promise<Finding[]> {
  const usable = servers.filter(({ state }) => !["untrusted", "invalid", "disabled"].includes(state));
  const findings = usable.map(async ({ name }): Promise<Finding[]> => {
    const { signIn } = await host.approvals.inspect(name);
    if (signIn === undefined || signIn.unused !== undefined) return [];
    const { id, madeFor, goesTo } = signIn;
    const message = `"${name}": your sign-in "${id}" (made for ${madeFor}) is sent to ${goesTo}.`;
    return [{ server: name, severity: "info", message }];
  });
  return (await Promise.all(findings)).flat();
}
