import type { JsonValue, Problem, Secret, ServerEntry } from "../model/index.ts";
import type { Environment, Files } from "../platform/index.ts";
import type { EnvFile } from "./env-file.ts";
import type { ValueSources } from "./value-source.ts";

/** Texts of a launch that hold values which must not be shown, each with the text to show in its place. */
export type ShownTexts = ReadonlyMap<string, string>;

/** A launch with every value in place. Env and header values are secrets: they print as `[secret]`. */
export type ResolvedLaunch =
  | {
      readonly transport: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string | undefined;
      readonly env: ReadonlyMap<string, Secret>;
      readonly inheritEnv: boolean | readonly string[];
      readonly shown?: ShownTexts;
    }
  | {
      readonly transport: "http" | "sse";
      readonly url: string;
      readonly headers: ReadonlyMap<string, Secret>;
      readonly shown?: ShownTexts;
    };

export interface ResolvedServer
  extends Pick<
    ServerEntry,
    | "name"
    | "timeoutMs"
    | "timeoutSource"
    | "startupTimeoutMs"
    | "startupTimeoutSource"
    | "installTimeoutMs"
    | "installTimeoutSource"
    | "protocol"
  > {
  readonly launch: ResolvedLaunch;
  /** What it says about signing in, with every text in place; what could not be resolved is left out. */
  readonly oauth?: JsonValue;
  /** Every value that came from a variable, a command, a file or the vault, but for folder variables. */
  readonly hidden: readonly string[];
  /** Names of env variables and headers whose value is text of the entry and folder variables only. */
  readonly plain: ReadonlySet<string>;
  /** Values that could not be resolved: left out of env and headers, kept as written elsewhere. */
  readonly problems: readonly Problem[];
}

export interface ResolveContext {
  readonly environment: Environment;
  readonly files: Files;
  /** The `envFile` as it was read for this launch, so that what was checked is what is used; read here if left out. */
  readonly envFile?: EnvFile | undefined;
  /** Commands and stored secrets. Left out for a project's launch that nobody approved with these very values. */
  readonly sources?: ValueSources | undefined;
}
