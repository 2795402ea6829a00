/** A placeholder syntax. */
export type PlaceholderSyntax =
  /** `${VAR}` */
  | "braced"
  /** `${VAR:-default}` */
  | "default"
  /** `$VAR` */
  | "bare"
  /** `${env:VAR}` */
  | "env"
  /** `{env:VAR}` */
  | "curlyEnv"
  /** `{file:path}` */
  | "curlyFile"
  /** `${file:path}` */
  | "file"
  /** `$env:VAR` */
  | "dollarEnv"
  /** `${workspaceFolder}`, `${userHome}`, `${workspaceFolderBasename}`, `${pathSeparator}`, `${/}` */
  | "folders"
  /** `${input:id}` */
  | "input"
  /** `${keychain:name}`: a stored secret. Only in env, headers and sign-in settings. */
  | "keychain"
  /** `$(command)`: recognized, but never run. */
  | "shell"
  /** `${{ secrets.X }}`, `{{NAME}}`, `${user_config.KEY}`: recognized, but only the file's owner knows the value. */
  | "foreign";

/** How the tool that owns a file expands placeholders. */
export interface ExpansionRules {
  /** The supported syntaxes. */
  readonly syntaxes: readonly PlaceholderSyntax[];
  /** The fields to expand. All fields if omitted. */
  readonly fields?: readonly string[];
  /** Whether `${VAR:-d}` expands to `d` if `VAR` is empty, as in a shell. Otherwise it expands to the empty string. */
  readonly emptyIsUnset?: boolean;
  /** What an unset variable expands to: the placeholder as written, or the empty string. */
  readonly unset: "literal" | "empty";
  /** What an unset variable expands to in env values, if that differs from `unset`. */
  readonly unsetInEnv?: "literal" | "empty";
  /**
   * Predefined names such as `CLAUDE_PLUGIN_ROOT`, which take precedence over the environment. `${NAME}` is expanded
   * for them even if `syntaxes` does not include `braced`.
   */
  readonly names?: Readonly<Record<string, string>>;
  /** Whether the values of `names` come from the entry's `env`. They are then as secret as those of variables. */
  readonly hidesNames?: true;
  /** The folder that a relative or missing `cwd` is resolved from. Defaults to the working folder. */
  readonly baseFolder?: string;
  /** The value of `${workspaceFolder}`. Defaults to the working folder. */
  readonly workspaceFolder?: string;
  /** The folder that a relative command path is resolved from, if that is not the `cwd`. */
  readonly commandFolder?: string;
  /** Whether env and header values can be `!command`, `keychain:name`, `file:path` or the name of a variable. */
  readonly secretValues?: boolean;
}

/** The native rules, taken from the seeds: POSIX defaults; unset variables stay as written. */
export const NATIVE_EXPANSION: ExpansionRules = {
  syntaxes: ["braced", "default", "keychain"],
  emptyIsUnset: true,
  unset: "literal",
  secretValues: true,
};

/** The rules of tools that do not expand placeholders. */
export const NO_EXPANSION: ExpansionRules = { syntaxes: [], unset: "literal" };
