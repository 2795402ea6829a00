import { isAbsolute } from "node:path";
import {
  type ExpansionRules,
  type JsonObject,
  type RemoteLaunch,
  type ServerEntry,
} from "../../model/index.ts";
import { toNativeText } from "../../values/index.ts";
import { assertOwnSignIn } from "../sign-in/describe-sign-in.ts";
import type { Workspace } from "../workspace.ts";
import { assertOwnEnvFile } from "./assert-own-env-file.ts";
import type { WriteScope } from "./native-files.ts";
import { pathFrom } from "./rebase-paths.ts";

/** Rules that protect against a server. A copy without them would do more than the author of the entry meant. */
const PROTECTING_FIELDS = ["wrap", "sandbox", "approval", "pins", "trust"];

/** Returns a rule that protects the user from the server and that the copy would lose. */
export function lostProtection(
  entry: JsonObject | undefined,
  isKept: (field: string) => boolean,
): string | undefined {
  return PROTECTING_FIELDS.find((field) => entry?.[field] !== undefined && !isKept(field));
}

/** Throws if copying a project's entry would give the user's own config something of the project: its `envFile` or a sign-in. */
export async function assertOwnParts(
  workspace: Workspace,
  entry: ServerEntry,
  scope: WriteScope,
): Promise<void> {
  await assertOwnSignIn(workspace, entry, scope);
  await assertOwnEnvFile(workspace, entry, scope);
}

/** Converts the values of an entry to native syntax, for another file. Collects the reasons why some cannot be carried over. */
export class CarryOver {
  readonly #reasons = new Set<string>();
  readonly #tool: string;
  readonly #rules: ExpansionRules;
  readonly #isForNativeFile: boolean;

  constructor({ declaration }: ServerEntry, { isForNativeFile }: { readonly isForNativeFile: boolean }) {
    this.#tool = declaration.provenance.tool;
    this.#rules = declaration.expansion;
    this.#isForNativeFile = isForNativeFile;
  }

  /** All reasons, or `undefined` if everything can be carried over. */
  get reason(): string | undefined {
    return this.#reasons.size === 0 ? undefined : [...this.#reasons].join("; ");
  }

  refuse(reason: string): void {
    this.#reasons.add(reason);
  }

  /** Returns a text with native placeholders. */
  text(field: string, text: string): string {
    const native = toNativeText(text, this.#rules, field);
    if ("text" in native) return native.text;
    if ("foreign" in native) this.refuse(`only ${this.#tool} can resolve ${native.foreign} in "${field}"`);
    // Only a native file would misread it. It is plain text in other tools.
    else if (this.#isForNativeFile)
      this.refuse(`"${field}" is plain text in ${this.#tool} but would be ${native.mistakenFor} here`);
    return text;
  }

  /** Returns a command and working folder as absolute paths, if the tool resolves them from its own folder. */
  paths({ command, cwd }: { readonly command: string; readonly cwd: string | undefined }): {
    readonly command: string;
    readonly cwd?: string;
  } {
    const { baseFolder, commandFolder } = this.#rules;
    const isPath = /[\\/]/.test(command);
    const folder = baseFolder === undefined ? cwd : fromFolder(baseFolder, cwd ?? "");
    return {
      command: commandFolder !== undefined && isPath ? fromFolder(commandFolder, command) : command,
      ...(folder !== undefined && { cwd: folder }),
    };
  }
}

/** Returns the headers whose values an entry names as variables, with native placeholders. */
export function namedHeaders({ headersFromEnv = {} }: RemoteLaunch): Readonly<Record<string, string>> {
  const named = Object.entries(headersFromEnv).map(
    ([header, { variable, prefix }]) => [header, `${prefix}\${${variable}}`] as const,
  );
  return Object.fromEntries(named);
}

function fromFolder(folder: string, path: string): string {
  return path === "" ? folder : pathFrom(folder, path);
}

/** A path that starts with a placeholder counts as absolute, because the placeholder may be an absolute path. */
export function isRelative(path: string): boolean {
  return !isAbsolute(path) && !/^(?:[A-Za-z]:[\\/]|\\\\|\$\{|~)/.test(path);
}
