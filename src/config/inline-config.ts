import { isAbsolute, join } from "node:path";
import type { Problem } from "../model/index.ts";
import type { Environment } from "../platform/index.ts";
import { problemIn } from "./read-document.ts";

/** Config from environment variables. It takes precedence over all files. */
export interface InlineConfig {
  readonly json?: { readonly variable: string; readonly text: string };
  readonly path?: {
    readonly variable: string;
    readonly file: string;
    /**
     * A relative path refers to a different file in every folder, so that file counts as the project's, not the user's.
     */
    readonly tier: "user" | "project";
  };
  /** A warning for each variable that is ignored because the other pair is set. */
  readonly problems: readonly Problem[];
}

const PREFIXES = ["PLUGBOARD", "CODEX_TOOLLOOP"] as const;

/**
 * Reads `PLUGBOARD_MCP_CONFIG_JSON` and `PLUGBOARD_MCP_CONFIG_PATH`. If neither is set, reads ToolLoop's pair of
 * variables. The pairs are never mixed.
 */
export function readInlineConfig({ variables, cwd }: Pick<Environment, "variables" | "cwd">): InlineConfig {
  const [pair = [], ...ignored] = PREFIXES.map((prefix) =>
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
    problems: ignored
      .flat()
      .map(({ variable }) => problemIn(`$${variable}`, "source-ignored", because, undefined, "warning")),
  };
}

function locate(path: string, cwd: string): { readonly file: string; readonly tier: "user" | "project" } {
  return isAbsolute(path) ? { file: path, tier: "user" } : { file: join(cwd, path), tier: "project" };
}
