import { type Host, HostError, isHostError, type WrittenServer } from "../../../index.ts";
import { type AddWords, readAddRequest } from "../../shared/add/add-request.ts";
import { isLiteralSecret } from "../../shared/add/literal-secret.ts";
import type { Command, CommandContext } from "../../shared/command.ts";
import { add, printAdded, readRequest } from "../../shared/commands/add.ts";
import { readScope } from "../../shared/commands/scope.ts";
import { signIn } from "../../shared/sign-in.ts";
import { usageError } from "../../shared/usage-error.ts";
import type { Dialogs } from "../dialogs.ts";
import { freeSecretName } from "./free-secret-name.ts";
import type { ServerChanges } from "./server-changes.ts";

export interface AddContext {
  readonly host: Host;
  readonly dialogs: Dialogs;
  readonly changes: ServerChanges;
  /** Runs the wizard, for `add` without arguments. */
  openWizard(context: CommandContext): Promise<void>;
}

/** Creates `/mcp add`. Without arguments it runs the wizard. The new server connects in the background. */
export function createAddCommand({ host, dialogs, changes, openWizard }: AddContext): Command {
  return {
    ...add,
    parameters: "[<name> [--url <url> | -- <command…>]]",
    notes: ["Without a name: asks step by step.", ...(add.notes ?? [])],
    async run(context) {
      const { words, rest, json, printJson } = context;
      const isBare = words.length === 0 && rest.length === 0;
      const given = Object.entries(context.flags).filter(([name]) => name !== "directory");
      if (isBare && given.length === 0) {
        await openWizard(context);
        return 0;
      }
      const secret = await offerVault(context, host, dialogs);
      const request = await readRequest({ ...context, flags: { ...context.flags, ...secret?.flags } }, host);
      const report = await changes.look();
      if (secret?.text !== undefined) await host.secrets.store(secret.name, secret.text);
      const scope = readScope(context.flags["scope"]) ?? "project";
      const written = await write(host, { ...request, scope }).catch(async (error: unknown) => {
        if (secret?.text !== undefined) await host.secrets.remove(secret.name);
        throw error;
      });
      if (json) printJson(written);
      else printAdded(context, written, request.needs);
      if (context.flags["oauth"] === true) await signIn(host, request.name, context);
      report({ added: request.name }); // connects, so `--test` has no further effect
      return 0;
    },
  };
}

/** Adds the server. Errors have the seeds' prefix. */
export async function write(
  host: Host,
  request: Omit<AddWords, "needs"> & { readonly scope: "project" | "user" },
): Promise<WrittenServer> {
  try {
    const { name, server, scope } = request;
    return await host.config.add({ name, server, scope });
  } catch (error) {
    if (!isHostError(error)) throw error;
    const { code, hint, message } = error;
    throw new HostError(code, `Failed to add server: ${message}`, {
      server: request.name,
      hint,
      cause: error,
    });
  }
}

interface VaultedToken {
  readonly name: string;
  /** The token to store in the vault. Undefined if it is written to the config file. */
  readonly text?: string;
  readonly flags: CommandContext["flags"];
}

/** Offers to store a literal token in the vault instead of the config file. */
async function offerVault(
  context: CommandContext,
  host: Host,
  dialogs: Dialogs,
): Promise<VaultedToken | undefined> {
  const { words, flags, signal } = context;
  const { token } = flags;
  const isReference = typeof token === "string" && /^(?:env|keychain|file):|^!/.test(token);
  if (typeof token !== "string" || isReference || flags["plain"] === true) return undefined;
  if (!isLiteralSecret("Authorization", token)) return undefined;
  readAddRequest({ ...context, flags: { ...flags, plain: true } }); // throws on other errors before the user is asked
  const name = await freeSecretName(host, words[0] ?? "");
  const answer = await dialogs.choose({
    title: "Where should the token be stored?",
    lines: ["Everyone who can read the config file could read the token."],
    choices: [
      { value: "vault", label: "In the vault", note: `the file refers to keychain:${name}`, key: "v" },
      { value: "plain", label: "In the file, as plain text", key: "f" },
    ] as const,
    signal,
  });
  if (answer.kind !== "value") throw usageError("Nothing was added.");
  if (answer.value === "plain") return { name, flags: { plain: true } };
  return { name, text: token, flags: { token: `keychain:${name}` } };
}
