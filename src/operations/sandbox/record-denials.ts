import { posix } from "node:path";
import { isJsonObject, isList, type SandboxDenial, safeLine } from "../../model/index.ts";
import {
  canRead,
  canWrite,
  findDenials,
  isNetworkError,
  permitsHost,
  type SandboxPlan,
} from "../../sandbox/index.ts";
import type { Workspace } from "../workspace.ts";

/** Per server, because a server chooses the texts. */
const MOST_DENIALS = 100;
const MOST_ARGUMENTS = 100;
/** The target of a denial if no text names the host. */
export const UNKNOWN_HOST = "*";

/** Describes a denial in a few words, to follow "refused". */
export function describeDenial({ kind, target }: SandboxDenial): string {
  if (kind !== "host") return `${kind === "read" ? "reading" : "writing"} ${safeLine(target)}`;
  return target === UNKNOWN_HOST ? "network access" : `a connection to ${safeLine(target)}`;
}

/** Records what the sandbox of a server refused, and publishes what is new. */
export function recordDenial(
  { values, events, ports }: Workspace,
  server: string,
  denial: SandboxDenial,
): void {
  const known = values.denials.get(server) ?? new Map<string, SandboxDenial>();
  values.denials.set(server, known);
  const key = `${denial.kind} ${denial.target}`;
  if (known.has(key) || known.size >= MOST_DENIALS) return;
  known.set(key, denial);
  ports.log.log("warn", "sandbox.denied", { server, kind: denial.kind, target: denial.target });
  events.publish({ type: "sandbox.denied", server, ...denial });
}

/**
 * Finds in an error what the server's sandbox refused, and records it. For the server, everything that the sandbox hides does not exist,
 * so its errors do not name the sandbox. So paths and hosts in the error, and paths in the arguments of the call, are compared with the
 * sandbox.
 */
export async function recordDenials(
  workspace: Workspace,
  server: string,
  text: string,
  args: unknown = {},
): Promise<readonly SandboxDenial[]> {
  const plan = workspace.values.plans.get(server);
  if (plan === undefined) return [];
  const named = findDenials(text);
  const inArguments = named.some(({ kind }) => kind !== "host") || /not exist|not found|no such/i.test(text);
  const paths = inArguments ? pathsIn(args).map((target): SandboxDenial => ({ kind: "read", target })) : [];
  const refused: SandboxDenial[] = [];
  for (const denial of [...named, ...paths]) {
    const found = await refusedBy(workspace, plan, denial);
    if (found !== undefined && !refused.some((each) => sameDenial(each, found))) refused.push(found);
  }
  const isOffline = plan.network === "none" && plan.hosts.length === 0;
  if (isOffline && !refused.some(({ kind }) => kind === "host") && isNetworkError(text))
    refused.push({ kind: "host", target: UNKNOWN_HOST });
  for (const denial of refused) recordDenial(workspace, server, denial);
  return refused;
}

function sameDenial(one: SandboxDenial, other: SandboxDenial): boolean {
  return one.kind === other.kind && one.target === other.target;
}

/** Returns the denial with its real path, if the sandbox is the reason. */
export async function refusedBy(
  { ports: { files }, places }: Workspace,
  plan: SandboxPlan,
  { kind, target }: SandboxDenial,
): Promise<SandboxDenial | undefined> {
  if (kind === "host") {
    const [, name = target, port = "443"] = /^(.*?)(?::(\d+))?$/.exec(target) ?? [];
    const isAllowed =
      plan.network === "full" || permitsHost(plan.hosts, name.replace(/^\[|\]$/g, ""), Number(port));
    return isAllowed ? undefined : { kind, target };
  }
  const given = target.startsWith("~/") ? posix.join(plan.home, target.slice(2)) : posix.normalize(target);
  // The data folder is the server's home folder.
  const own = posix.relative(plan.data, given);
  const isOwn = own !== "" && !own.startsWith("..");
  if (isOwn && (await files.present([given])).size > 0) return undefined;
  const path = isOwn ? posix.join(plan.home, own) : given;
  if (isTooMuch(path, plan) || [places.state, places.cache].some((folder) => isInside(path, folder)))
    return undefined;
  if ((await files.present([path])).size === 0) return undefined;
  const real = await files.realPath(path);
  if (isTooMuch(real, plan)) return undefined;
  const isRefused = kind === "write" ? !canWrite(plan, real) : !canRead(plan, real);
  return isRefused ? { kind, target: real } : undefined;
}

/** Whole folders of the system or the user are never proposed. */
function isTooMuch(path: string, { home }: SandboxPlan): boolean {
  return path.split("/").length < 3 || isInside(home, path) || /^\/(?:proc|sys|dev|run|boot)\//.test(path);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function pathsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return /^~?\/[^\0\n]{1,1000}$/.test(value) ? [value] : [];
  if (depth > 3) return [];
  const inner = isList(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return inner
    .slice(0, MOST_ARGUMENTS)
    .flatMap((each) => pathsIn(each, depth + 1))
    .slice(0, MOST_ARGUMENTS);
}

const SENSITIVE =
  /\/\.(?:ssh|gnupg|aws|azure|kube|docker|netrc|npmrc|pypirc|git-credentials|pgpass|password-store|mozilla|bash_history|zsh_history)(?:\/|$)|\/\.config\/(?:gcloud|gh|google-chrome|chromium|BraveSoftware)(?:\/|$)|\/(?:keyrings|Keychains|Cookies)(?:\/|$)|^\/etc\/(?:shadow|gshadow|sudoers)|\.env(?:\.[\w.]+)?$|\.pem$|id_[a-z0-9]+$|docker\.sock$/;

/** Contain such files, but also many others. */
const CONTAINS_SENSITIVE =
  /\/(?:\.config|\.local(?:\/share|\/state)?|\.cache|Library(?:\/Application Support)?)$/;

/** Files of the user that other programs run, or take programs from. */
const RUNS =
  /\/\.(?:bash\w*|z(?:sh\w*|profile|login|logout)|profile|login|cshrc|tcshrc|kshrc|inputrc|vimrc|emacs(?:\.d)?|gitconfig|xinitrc|xprofile|xsession\w*|pam_environment|tmux\.conf|git|husky|envrc|vscode|idea|devcontainer|plugboard|claude(?:\.json)?|cursor|codex|gemini)(?:\/|$)|\/\.config\/(?:autostart|environment\.d|fish|git|nvim|systemd)(?:\/|$)|\/\.local\/(?:bin|share\/applications)(?:\/|$)|\/(?:LaunchAgents|LaunchDaemons|cron\w*|systemd|profile\.d|bin|sbin)(?:\/|$)/;

/** Returns whether a path is known to contain credentials or keys, or would let a server change what other programs run. */
export function isSensitive({ kind, target }: SandboxDenial): boolean {
  if (kind === "host") return false;
  return SENSITIVE.test(target) || CONTAINS_SENSITIVE.test(target) || (kind === "write" && RUNS.test(target));
}
