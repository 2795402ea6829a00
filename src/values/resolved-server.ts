import type { InProcessLaunch, JsonValue, Problem, Secret, ServerEntry } from "../model/index.ts";
import type { Environment, Files } from "../platform/index.ts";
import type { SandboxPlan } from "../sandbox/index.ts";
import type { EnvFile } from "./env-file.ts";
import type { ValueSources } from "./value-source.ts";

/** Strings of a launch that contain values that must not be displayed, each with the string to display instead. */
export type ShownTexts = ReadonlyMap<string, string>;

/** A launch with all values resolved. Env and header values are secrets: they print as `[secret]`. */
export type ResolvedLaunch =
  | {
      readonly transport: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string | undefined;
      readonly env: ReadonlyMap<string, Secret>;
      readonly inheritEnv: boolean | readonly string[];
      /** Runs the program in this sandbox. */
      readonly sandbox?: SandboxPlan;
      readonly shown?: ShownTexts;
    }
  | {
      readonly transport: "http" | "sse";
      readonly url: string;
      readonly headers: ReadonlyMap<string, Secret>;
      readonly shown?: ShownTexts;
    }
  | (InProcessLaunch & { readonly shown?: ShownTexts });

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
  /** Its sign-in settings with all strings resolved. Strings that could not be resolved are omitted. */
  readonly oauth?: JsonValue;
  /** All values from variables, commands, files or the vault, except folder variables. */
  readonly hidden: readonly string[];
  /** The env variables and headers whose values consist only of text in the entry and folder variables. */
  readonly plain: ReadonlySet<string>;
  /** Values that could not be resolved: omitted from env and headers, kept as written elsewhere. */
  readonly problems: readonly Problem[];
}

export interface ResolveContext {
  readonly environment: Environment;
  readonly files: Files;
  /** The `envFile` that was read for this launch, so that the checked content is used. Read from disk if omitted. */
  readonly envFile?: EnvFile | undefined;
  /**
   * Commands and stored secrets. Omitted for a project's launch that the user has not approved with these exact
   * values.
   */
  readonly sources?: ValueSources | undefined;
}
