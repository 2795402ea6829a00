import { HostError } from "../../model/index.ts";

/** These messages are appended to `Failed to connect to "<name>": `. */

/** The package to install and its runner. */
export interface InstallSubject {
  readonly runner: string;
  readonly package: string;
}

export function installFailed(
  { runner, package: name }: InstallSubject,
  how: string,
  hint?: string,
): HostError {
  const message = `${runner} could not install ${name}: ${how}`;
  return new HostError("INSTALL_FAILED", message, { hint });
}

export function installTimedOut(
  { runner, package: name }: InstallSubject,
  { ms, source, output }: { readonly ms: number; readonly source: string; readonly output?: string },
): HostError {
  const message = `${runner} did not finish installing ${name} within ${ms} ms`;
  const last = output === undefined ? "" : ` Last output: ${output}`;
  return new HostError("INSTALL_TIMEOUT", message, {
    hint: `Downloaded files are kept, so a retry continues from there. The limit is ${ms} ms: ${source}.${last}`,
  });
}

/** Returns the error for an incomplete package. npx would fail with it, or start the server with missing modules. */
export function installBroken({ package: name }: InstallSubject, folder: string, because: string): HostError {
  const message = `npm's copy of ${name} is incomplete (${because})`;
  return new HostError("INSTALL_BROKEN", message, {
    hint: `An earlier installation was interrupted, so npx cannot run this package on this machine. Delete ${folder} to reinstall it.`,
  });
}
