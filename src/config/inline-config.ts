import { isAbsolute, join } from "node:path";
import type { Problem } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { problemIn } from "./read-document.ts";

/** Config handed over in the environment, before every file. */
export interface InlineConfig {
  readonly json?: { readonly variable: string; readonly text: string };
  readonly path?: {
    readonly variable: string;
    readonly file: string;
    /** A relative path names another file in every folder: what it names there is the folder's, not the user's. */
    readonly tier: "user" | "project";
  };
  /** One warning for each variable that was set but lost to the other pair. */
  readonly problems: readonly Problem[];
}

const PREFIXES = ["PLUGBOARD", "CODEX_TOOLLOOP"] as const;

/** `PLUGBOARD_MCP_CONFIG_JSON` and `_PATH`. ToolLoop's own pair counts where neither of ours is set: pairs are never mixed. */
export function readInlineConfig({ variables, cwd }: Pick<Environment, "variables" | "cwd">): InlineConfig {
  const [pair = [], ...losers] = PREFIXES.map((prefix) =>
    ["JSON", "PATH"].flatMap((suffix) => {
      const variable = `${prefix}_MCP_CONFIG_${suffix}`;
      const value = variables[variable];
      return value === undefined || value === "" ? [] : [{ variable, value, suffix }];
    }),
  ).filter(({ length }) => length > 0);
  const json = pair.find(({ suffix }) => suffix === "JSON");
  const path = pair.find(({ suffix }) => suffix === "PATH");
  const because = `is ignored because $${pair[0]?.variable} is set`;
  return {
    ...(json && { json: { variable: json.variable, text: json.value } }),
    ...(path && { path: { variable: path.variable, ...locate(path.value, cwd) } }),
    problems: losers
      .flat()
      .map(({ variable }) => problemIn(`$${variable}`, "source-ignored", because, undefined, "warning")),
  };
}

function locate(path: string, cwd: string): { readonly file: string; readonly tier: "user" | "project" } {
  return isAbsolute(path) ? { file: path, tier: "user" } : { file: join(cwd, path), tier: "project" };
}
