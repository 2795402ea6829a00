import { isJsonObject } from "../model/index.ts";
import type { ValueCommands } from "./value-commands.ts";

export type HelperHeaders =
  | { readonly headers: readonly (readonly [name: string, value: string])[] }
  | { readonly failed: string };

/**
 * Runs a command that prints a JSON object of headers. It runs for every connection, because its output may be
 * short-lived.
 */
export async function runHeadersHelper(
  helper: unknown,
  { name, url, folder }: { readonly name: string; readonly url: string; readonly folder: string },
  commands: ValueCommands,
): Promise<HelperHeaders> {
  if (typeof helper !== "string" || helper.trim() === "") return { failed: "is not a command" };
  const output = await commands.fresh(helper, folder, {
    CLAUDE_CODE_MCP_SERVER_NAME: name,
    CLAUDE_CODE_MCP_SERVER_URL: url,
  });
  if ("failed" in output) return { failed: `is a command that ${output.failed}` };
  const headers = parseHeaders(output.text);
  return headers === undefined
    ? { failed: "is a command that did not print a JSON object of strings" }
    : { headers };
}

function parseHeaders(text: string): (readonly [string, string])[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const headers = Object.entries(value);
  const isHeader = (entry: readonly [string, unknown]): entry is [string, string] =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(entry[0]) && typeof entry[1] === "string" && !/[\r\n\0]/.test(entry[1]);
  return headers.every(isHeader) ? headers : undefined;
}
