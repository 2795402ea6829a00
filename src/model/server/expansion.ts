/** Placeholder syntaxes, by the way they are written. */
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
  /** `${keychain:name}`: a stored secret; in env, headers and sign-in settings only */
  | "keychain"
  /** `$(command)`: never run here, only recognised */
  | "shell"
  /** `${{ secrets.X }}`, `{{NAME}}`, `${user_config.KEY}`: its owner alone has the value; only recognised */
  | "foreign";

/** How the tool that owns a file fills in placeholders. */
export interface ExpansionRules {
  readonly syntaxes: readonly PlaceholderSyntax[];
  /** The fields it expands; all of them when left out. */
  readonly fields?: readonly string[];
  /** `${VAR:-d}` of an empty variable gives `d`, as in a shell; otherwise it gives the empty text. */
  readonly emptyIsUnset?: boolean;
  /** What an unset variable gives. */
  readonly unset: "literal" | "empty";
  /** The same for env values, where they differ. */
  readonly unsetInEnv?: "literal" | "empty";
  /**
   * Names with a value of their own, before the environment: `CLAUDE_PLUGIN_ROOT` and the like. They are written
   * `${NAME}`, also where `syntaxes` has no `braced` and the environment is never asked.
   */
  readonly names?: Readonly<Record<string, string>>;
  /** The folder that a relative `cwd`, or none at all, is meant from; the working folder when left out. */
  readonly baseFolder?: string;
  /** What `${workspaceFolder}` stands for; the working folder when left out. */
  readonly workspaceFolder?: string;
  /** The folder that a relative command with a slash in it is meant from, where that is not its `cwd`. */
  readonly commandFolder?: string;
  /** Env and header values may be `!command`, `keychain:name`, `file:path` or the name of a variable. */
  readonly secretValues?: boolean;
}

/** The native rules, those of the seeds: POSIX defaults, unset stays as written. */
export const NATIVE_EXPANSION: ExpansionRules = {
  syntaxes: ["braced", "default", "keychain"],
  emptyIsUnset: true,
  unset: "literal",
  secretValues: true,
};

/** Files of tools that expand nothing. */
export const NO_EXPANSION: ExpansionRules = { syntaxes: [], unset: "literal" };
