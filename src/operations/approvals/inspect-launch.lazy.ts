import { dirname, isAbsolute, join, relative } from "node:path";
import { parseSandboxedInstall } from "../../connection/index.ts";
import {
  type Launch,
  maskUrl,
  type SandboxProfile,
  type ServerEntry,
  type StdioLaunch,
} from "../../model/index.ts";
import type { Environment } from "../../platform/index.ts";
import { describeProfile } from "../../sandbox/index.ts";
import { declaredProgram, launchTexts, placeholdersIn, sourceOf } from "../../values/index.ts";
import { searchProgram } from "../describe/search-program.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { describeStart, describeStarted } from "../lifecycle/prepare-launch.ts";
import { approvedOwner } from "../native-files/entry-owner.ts";
import type { SandboxChoice } from "../sandbox/sandbox-api.ts";
import { describeSignIn, type SignInRoute } from "../sign-in/describe-sign-in.ts";
import type { Workspace } from "../workspace.ts";
import { entryToApprove } from "./approve-server.ts";
import { approvalHashWithEnvFile, showEnvFile } from "./env-files.ts";
import { isNetworkPath } from "./network-path.ts";
import { type SandboxSource, sandboxChoices, sandboxSource } from "./sandbox-choices.ts";
import { unpinnedInShell, unpinnedPackages } from "./unpinned-packages.ts";

/** A command that a launch would run. */
export interface LaunchRun {
  /** The field that contains the command: `command`, `wrap`, `headersHelper`, or an entry of `env` or `headers`. */
  readonly field: string;
  /** The program, or the command line for a shell. */
  readonly command: string;
  /** Packages and images without an exact version. The registry decides which version runs. */
  readonly unpinned?: readonly string[];
}

/** What a launch would run and read on this machine. Nothing is run to find out. */
export interface LaunchInspection {
  /** The program file that would run, with links resolved. Absent if it was not found. */
  readonly program?: string;
  /** All commands that would run. */
  readonly runs: readonly LaunchRun[];
  /** The command line that would start, if it differs from the entry. Secrets are masked. */
  readonly starts?: string;
  /** The variables it would read, each with the field that wants it. `*` is the whole environment. */
  readonly reads: readonly { readonly variable: string; readonly field: string }[];
  /** The files whose content would become a value, with the fields that refer to them. */
  readonly files: readonly {
    readonly file: string;
    readonly field: string;
    /** The target of the file's links, if it is another file. */
    readonly leadsTo?: string;
  }[];
  /** The stored secrets that would become a value, with the fields that refer to them. */
  readonly secrets: readonly { readonly secret: string; readonly field: string }[];
  /** The `envFile`, whether it exists, and the names of the variables in it. */
  readonly envFile?: { readonly path: string; readonly found: boolean; readonly names: readonly string[] };
  /** The hash to approve. It covers the launch and the `envFile` variables shown here. */
  readonly hash: string;
  /** The recipient of these values: the program, or the host name of the URL. */
  readonly destination: string;
  /** The sandbox that it would run in, and what requires it. Absent if it runs without one. */
  readonly sandbox?: { readonly access: string; readonly source: SandboxSource };
  /** Whether the entry's `sandbox: false` or `wrap` turns off the sandbox that your settings have for all servers. */
  readonly turnsOffSandbox?: true;
  /** The ways in which a person can let it run, with the hash to approve for each. The first one is preselected. */
  readonly choices?: readonly SandboxChoice[];
  /**
   * The packages of a sandboxed launch that are installed outside of the sandbox if they are missing: from the registry in your npm
   * settings, without their install scripts.
   */
  readonly installs?: { readonly packages: readonly string[] };
  /** The sign-in that the server would use once it is approved. */
  readonly signIn?: SignInRoute;
}

export async function inspectLaunch(workspace: Workspace, name: string): Promise<LaunchInspection> {
  return inspectEntry(workspace, entryToApprove(workspace, findServer(workspace, name)));
}

/** Inspects one entry. `inspectLaunch` prefers the entry that needs approval; this function does not. */
export async function inspectEntry(workspace: Workspace, entry: ServerEntry): Promise<LaunchInspection> {
  const { launch } = entry;
  if (launch === undefined)
    return {
      runs: [],
      reads: [],
      files: [],
      secrets: [],
      hash: approvalHashWithEnvFile(workspace, entry, undefined),
      destination: "",
    };
  const reads = readsOf(entry, launch, workspace.environment);
  const sources = sourcesOf(entry, launch);
  const signIn = await describeSignIn(workspace, entry, approvedOwner(workspace, entry));
  const values = {
    reads,
    files: await Promise.all(
      sources.files.map(async (named) => ({ ...named, ...(await linkOf(workspace, entry, named.file)) })),
    ),
    secrets: sources.secrets,
    ...(signIn !== undefined && { signIn }),
  };
  if (launch.transport !== "stdio") {
    const hash = approvalHashWithEnvFile(workspace, entry, undefined);
    const destination = "url" in launch ? hostOf(launch.url) : IN_PROCESS;
    return { runs: sources.runs, ...values, hash, destination };
  }
  const program = await programOf(workspace, entry, launch);
  const starts = describeStarted(await describeStart(workspace, entry, launch), launch);
  const envFile = await showEnvFile(workspace, entry);
  const choices = await sandboxChoices(workspace, entry);
  return {
    ...(program !== undefined && { program }),
    ...(launch.sandbox !== undefined && {
      sandbox: describeSandbox(workspace, entry, launch.sandbox),
      ...(await installsOf(launch)),
    }),
    ...(launch.sandbox === undefined && requiresSandbox(workspace) && { turnsOffSandbox: true }),
    ...(starts !== undefined && { starts }),
    runs: [...programRuns(launch, program), ...sources.runs],
    ...values,
    ...(envFile !== undefined && { envFile }),
    hash: approvalHashWithEnvFile(workspace, entry, envFile),
    ...(choices.length > 0 && {
      choices: choices.map(({ entry: chosen, ...choice }) => ({
        ...choice,
        hash: approvalHashWithEnvFile(workspace, chosen, envFile),
      })),
    }),
    destination: program ?? launch.command,
  };
}

/** Returns whether the user's settings have a sandbox for all servers. */
function requiresSandbox({ inventory }: Workspace): boolean {
  const { sandbox = false } = inventory().settings;
  return sandbox !== false;
}

/** Returns the packages that are installed outside of the sandbox. */
async function installsOf({ command, args }: StdioLaunch): Promise<Pick<LaunchInspection, "installs">> {
  const install = await parseSandboxedInstall([command, ...args]);
  return install === undefined ? {} : { installs: { packages: install.packages } };
}

function describeSandbox(
  workspace: Workspace,
  entry: ServerEntry,
  profile: SandboxProfile,
): NonNullable<LaunchInspection["sandbox"]> {
  return {
    access: describeProfile(profile, workspace.environment.home),
    source: sandboxSource(workspace, entry),
  };
}

/** Resolves the links of a file that a value refers to. Returns nothing if they lead to the same file. */
async function linkOf(
  { environment: { home = "" }, ports: { files } }: Workspace,
  { provenance }: ServerEntry,
  name: string,
): Promise<{ readonly leadsTo?: string }> {
  const file = name.startsWith("~/") ? join(home, name.slice(2)) : name;
  const path = isAbsolute(file) ? file : join(dirname(provenance.file), file);
  if (isNetworkPath(path)) return {};
  const [real, folder] = await Promise.all(
    [path, dirname(provenance.file)].map((one) => files.realPath(one).catch(() => one)),
  );
  const isSame = real === path || real === join(folder ?? "", relative(dirname(provenance.file), path));
  return isSame || real === undefined ? {} : { leadsTo: real };
}

/** Returns the program and its wrapper. */
function programRuns({ wrap = [], command, args }: StdioLaunch, program: string | undefined): LaunchRun[] {
  const unpinned = unpinnedPackages([...wrap, command, ...args]);
  const marked = unpinned.length > 0 && { unpinned };
  const [wrapper] = wrap;
  if (wrapper === undefined) return [{ field: "command", command: program ?? command, ...marked }];
  return [
    { field: "wrap", command: program ?? wrapper },
    { field: "command", command, ...marked },
  ];
}

/** Returns the commands, files and stored secrets that values come from. */
function sourcesOf(
  { declaration: { fields, expansion } }: ServerEntry,
  launch: Launch,
): Pick<LaunchInspection, "runs" | "files" | "secrets"> {
  const runs: LaunchRun[] = [];
  const files: { file: string; field: string }[] = [];
  const secrets: { secret: string; field: string }[] = [];
  const run = (field: string, command: string): void => {
    const unpinned = unpinnedInShell(command);
    runs.push({ field, command, ...(unpinned.length > 0 && { unpinned }) });
  };
  const { headersHelper, oauth } = fields;
  if (launch.transport !== "stdio" && typeof headersHelper === "string") run("headersHelper", headersHelper);
  const texts = [
    ...launchTexts(launch),
    ...(oauth === undefined ? [] : [["oauth", JSON.stringify(oauth)] as const]),
  ];
  for (const [field, text] of texts) {
    const isValue = expansion.secretValues === true && /^(?:env|headers)\./.test(field);
    const source = isValue ? sourceOf(text) : undefined;
    if (source?.kind === "command") run(field, source.name);
    if (source?.kind === "file") files.push({ file: source.name, field });
    if (source?.kind === "keychain") secrets.push({ secret: source.name, field });
    if (source !== undefined) continue;
    for (const { file, secret } of placeholdersIn(text, expansion)) {
      if (file !== undefined) files.push({ file, field });
      if (secret !== undefined) secrets.push({ secret, field });
    }
  }
  return { runs, files, secrets };
}

async function programOf(
  workspace: Workspace,
  entry: ServerEntry,
  launch: StdioLaunch,
): Promise<string | undefined> {
  const declared = declaredProgram(entry, launch, undefined, workspace.environment.platform);
  if (declared !== undefined && isNetworkPath(declared.command)) return declared.shown; // it would run, but is not looked up
  const { program } = (declared && (await searchProgram(workspace, launch, declared))) ?? {};
  return program && workspace.ports.files.realPath(program).catch(() => program);
}

function readsOf(
  { declaration }: ServerEntry,
  launch: Launch,
  { variables }: Environment,
): { variable: string; field: string }[] {
  const oauth = declaration.fields["oauth"];
  const texts = [
    ...launchTexts(launch),
    ...(oauth === undefined ? [] : [["oauth", JSON.stringify(oauth)] as const]),
  ];
  const named =
    "url" in launch
      ? Object.entries(launch.headersFromEnv ?? {}).map(([header, { variable }]) => ({
          variable,
          field: `headers.${header}`,
        }))
      : [];
  const inTexts = texts.flatMap(([field, text]) =>
    placeholdersIn(text, declaration.expansion).flatMap(({ variable, whole }) => {
      const withDefault = /^\$\{([^}:=]+):-/.exec(whole)?.[1];
      const name = variable ?? withDefault;
      return name === undefined ? [] : [{ variable: name, field }];
    }),
  );
  const { secretValues } = declaration.expansion;
  // The variable may be set later, when the server is already approved.
  const isName = (text: string): boolean =>
    secretValues === true && (Object.hasOwn(variables, text) || /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(text));
  const asNames = texts.flatMap(([field, text]) =>
    /^(?:env|headers)\./.test(field) && isName(text) ? [{ variable: text, field }] : [],
  );
  return [...inTexts, ...asNames, ...named, ...inherited(launch)];
}

/** The variables that are passed unchanged. */
function inherited(launch: Launch): { variable: string; field: string }[] {
  const { inheritEnv = false } = launch.transport === "stdio" ? launch : {};
  const names = typeof inheritEnv === "boolean" ? (inheritEnv ? [WHOLE_ENVIRONMENT] : []) : inheritEnv;
  return names.map((variable) => ({ variable, field: "inheritEnv" }));
}

const WHOLE_ENVIRONMENT = "*";
/** The destination of a server that the program itself runs. */
const IN_PROCESS = "this program";

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : maskUrl(url);
}
