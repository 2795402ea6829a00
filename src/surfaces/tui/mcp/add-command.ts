import { type Host, HostError, isHostError, type WrittenServer } from "../../../index.ts";
import { type AddWords, readAddRequest } from "../../shared/add/add-request.ts";
import { isLiteralSecret } from "../../shared/add/literal-secret.ts";
import type { Command, CommandContext } from "../../shared/command.ts";
import { add, sayAdded } from "../../shared/commands/add.ts";
import { readScope } from "../../shared/commands/scope.ts";
import { signIn } from "../../shared/sign-in.ts";
import { usageError } from "../../shared/usage-error.ts";
import type { Dialogs } from "../dialogs.ts";
import { freeSecretName } from "./free-secret-name.ts";
import type { ServerChanges } from "./server-changes.ts";

export interface AddSurroundings {
  readonly host: Host;
  readonly dialogs: Dialogs;
  readonly changes: ServerChanges;
  /** What `add` without a word does. */
  openWizard(context: CommandContext): Promise<void>;
}

/** `/mcp add`: without words the wizard, else at once. The server is connected while the person goes on. */
export function createAddCommand({ host, dialogs, changes, openWizard }: AddSurroundings): Command {
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
      const request = readAddRequest({ ...context, flags: { ...context.flags, ...secret?.flags } });
      const tell = await changes.look();
      if (secret?.text !== undefined) await host.secrets.store(secret.name, secret.text);
      const scope = readScope(context.flags["scope"]) ?? "project";
      const written = await write(host, { ...request, scope }).catch(async (error: unknown) => {
        if (secret?.text !== undefined) await host.secrets.remove(secret.name);
        throw error;
      });
      if (json) printJson(written);
      else sayAdded(context, written, request.needs);
      if (context.flags["oauth"] === true) await signIn(host, request.name, context);
      tell({ added: request.name }); // connects, so that `--test` has nothing to add
      return 0;
    },
  };
}

/** Failures are said as the original says them. */
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
  /** To be stored; none where the file is to hold it. */
  readonly text?: string;
  readonly flags: CommandContext["flags"];
}

/** A token typed as it is would stand in a file: the vault is offered for it. */
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
  readAddRequest({ ...context, flags: { ...flags, plain: true } }); // nobody is asked for what is wrong otherwise
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
