import { posix, win32 } from "node:path";
import {
  codeArguments,
  isCommandPath,
  isInterpreter,
  type PinPolicy,
  type Server,
} from "../../model/index.ts";
import type { Environment } from "../../platform/index.ts";
import { approvalStatus, type GivenApproval, pinPolicy } from "../../policy/index.ts";

/** Folders with installed packages. Their code is not the user's own. */
const PACKAGES = /^(?:node_modules|site-packages|vendor|\.?venv)$/i;

/** Every call needs the policy, and servers and approvals are immutable. */
const policies = new WeakMap<
  Server,
  { readonly approvals: readonly GivenApproval[]; readonly policy: PinPolicy }
>();

/**
 * Returns what happens when a server's tools change. If the user added the server and its script is in the project, a change only
 * warns, because tools change often during development.
 */
export function pinPolicyOf(
  server: Server,
  approvals: readonly GivenApproval[],
  environment: Environment,
): PinPolicy {
  const last = policies.get(server);
  if (last?.approvals === approvals) return last.policy;
  const policy = findPolicy(server, approvals, environment);
  policies.set(server, { approvals, policy });
  return policy;
}

function findPolicy(
  server: Server,
  approvals: readonly GivenApproval[],
  environment: Environment,
): PinPolicy {
  const usual = pinPolicy(server);
  const { rules, provenance, name } = server;
  if (usual !== "hold" || rules.pins !== undefined || rules.trust === "untrusted") return usual;
  const isAdded =
    approvalStatus(server, approvals).kind === "approved" &&
    approvals.some((given) => given.added && given.file === provenance.file && given.server === name);
  return isAdded && startsOwnScript(server, environment) ? "warn" : usual;
}

/** Returns whether the server runs a script or program inside its project folder. */
export function startsOwnScript(
  { launch, declaration }: Server,
  { platform, cwd }: Pick<Environment, "platform" | "cwd">,
): boolean {
  if (launch?.transport !== "stdio") return false;
  const { command, args } = launch;
  const script = isInterpreter(command)
    ? codeArguments(command, args).find(({ isScript }) => isScript)?.value
    : isCommandPath(command, platform)
      ? command
      : undefined;
  if (script === undefined || /[$%~]/.test(script)) return false;
  const { resolve, relative, isAbsolute, sep } = platform === "win32" ? win32 : posix;
  const folder = declaration.projectFolder ?? cwd;
  const way = relative(folder, resolve(folder, launch.cwd ?? "", script));
  const steps = way.split(sep);
  return way !== "" && !isAbsolute(way) && steps[0] !== ".." && !steps.some((step) => PACKAGES.test(step));
}
