import { isAbsolute, join } from "node:path";
import type { Environment } from "../platform/index.ts";

/** Config handed over in the environment: user tier, before every file. */
export interface InlineConfig {
  readonly json?: { readonly variable: string; readonly text: string };
  readonly path?: { readonly variable: string; readonly file: string };
  /** Variables that were set but lost to another. */
  readonly ignored: readonly { readonly variable: string; readonly winner: string }[];
}

const PREFIXES = ["PLUGBOARD", "CODEX_TOOLLOOP"] as const;

/** `PLUGBOARD_MCP_CONFIG_JSON` and `_PATH`; ToolLoop's own variables are read where ours are not set. */
export function readInlineConfig({ variables, cwd }: Environment): InlineConfig {
  const ignored: { variable: string; winner: string }[] = [];
  const pick = (suffix: string): { variable: string; value: string } | undefined => {
    const [first, ...rest] = PREFIXES.map((prefix) => `${prefix}_MCP_CONFIG_${suffix}`).flatMap(
      (variable) => {
        const value = variables[variable];
        return value === undefined || value === "" ? [] : [{ variable, value }];
      },
    );
    if (first !== undefined)
      ignored.push(...rest.map(({ variable }) => ({ variable, winner: first.variable })));
    return first;
  };
  const json = pick("JSON");
  const path = pick("PATH");
  return {
    ...(json && { json: { variable: json.variable, text: json.value } }),
    ...(path && {
      path: { variable: path.variable, file: isAbsolute(path.value) ? path.value : join(cwd, path.value) },
    }),
    ignored,
  };
}
