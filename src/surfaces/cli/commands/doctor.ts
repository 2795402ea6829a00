import type { Finding, Host, ServerView } from "../../../index.ts";
import type { Command } from "../command.ts";
import { renderDiagnosis } from "../render/diagnosis.ts";
import { standpointOf } from "./standpoint.ts";

const HINTS = {
  "value-dynamic": "The server goes without it until that is put right.",
  "value-unresolved": "Set what is missing, or leave it when it is meant as it is.",
};

export const doctor: Command = {
  name: "doctor",
  summary:
    "Say what was read, what is wrong with it, what its owner would do, and what to type. Exits 1 on errors.",
  parameters: "[server]",
  words: { least: 0, most: 1 },
  flags: {},
  examples: ["plugboard doctor", "plugboard doctor github --json"],
  async run(context) {
    const [name] = context.words;
    const host = await context.openHost();
    const read = host.diagnose(name);
    const unanswered = await host.checkValues(name);
    const findings = unanswered.map(({ server = "", severity, message, code }) => ({
      server,
      severity,
      message,
      hint: HINTS[code === "value-dynamic" ? code : "value-unresolved"],
    }));
    const missing = await host.checkPrograms(name);
    const tools = (await host.checkTools(name)).map(({ server = "", severity, message }) => ({
      server,
      severity,
      message,
    }));
    const vault = name === undefined ? await host.checkVault() : [];
    const signIns = await signInFindings(host, read.servers);
    const diagnosis = {
      ...read,
      findings: [...read.findings, ...findings, ...missing, ...tools, ...signIns],
      problems: [...read.problems, ...vault],
    };
    if (context.json) context.printJson(diagnosis);
    else context.terminal.out(renderDiagnosis(diagnosis, context.style, standpointOf(context)));
    const problems = [...diagnosis.problems, ...diagnosis.files.flatMap((file) => file.problems)];
    const bad = [...problems, ...diagnosis.findings].some(({ severity }) => severity === "error");
    return bad ? 1 : 0;
  },
};

/** Says which sign-in goes to which server. */
async function signInFindings(host: Host, servers: readonly ServerView[]): Promise<Finding[]> {
  const usable = servers.filter(({ state }) => !["untrusted", "invalid", "disabled"].includes(state));
  const findings = usable.map(async ({ name }): Promise<Finding[]> => {
    const { signIn } = await host.inspect(name);
    if (signIn === undefined || signIn.unused !== undefined) return [];
    const { id, madeFor, goesTo } = signIn;
    const message = `"${name}": your sign-in "${id}" (made for ${madeFor}) goes to ${goesTo}.`;
    return [{ server: name, severity: "info", message }];
  });
  return (await Promise.all(findings)).flat();
}
