import type { JsonObject, JsonValue } from "../../../index.ts";
import { usageError } from "../usage-error.ts";

const LONGEST_LINK = 20_000;
/** The fields of a link's entry that are used. Others could grant permissions that the user does not see. */
const FIELDS = ["type", "command", "args", "env", "url", "headers", "cwd"] as const;

/** The text of a variable's name, not its value. */
const PLAIN_NAME = /^\$\{=text:-\w+\}$/;

/** Reads an install link of VS Code or Cursor. Everything in it is untrusted. */
export function readInstallLink(link: string): { readonly name: string; readonly server: JsonObject } {
  if (link.length > LONGEST_LINK) throw invalid("it is too long");
  const [name, entry] = /^cursor:/i.test(link) ? fromCursor(link) : fromVsCode(link);
  const fields = FIELDS.flatMap((key) => {
    const value = Object.hasOwn(entry, key) ? entry[key] : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  const server: Record<string, JsonValue> = Object.fromEntries(fields);
  if (refersToThisMachine(server))
    throw invalid("its entry refers to variables, secrets or commands of this machine");
  for (const key of ["env", "headers"] as const)
    if (server[key] !== undefined) server[key] = asPlainTexts(server[key]);
  return { name, server };
}

/** In Plugboard's files, the name of a variable means its value. `${=text:-NAME}` means the text. */
export function asPlainTexts(values: JsonValue): JsonValue {
  if (typeof values !== "object" || values === null || Array.isArray(values)) return values;
  const isName = (text: string): boolean =>
    /^[A-Za-z_]\w*$/.test(text) && (!/^[a-z]+$/.test(text) || process.env[text] !== undefined);
  return Object.fromEntries(
    Object.entries(values as JsonObject).map(([key, value]) => [
      key,
      typeof value === "string" && isName(value) ? `\${=text:-${value}}` : value,
    ]),
  );
}

/** `vscode:mcp/install?<JSON, percent-encoded>`, with the name in the JSON. */
function fromVsCode(link: string): [name: string, entry: JsonObject] {
  const [, text] = /^vscode(?:-insiders)?:(?:\/\/)?mcp\/install\?(.+)$/is.exec(link) ?? [];
  if (text === undefined) throw invalid("it is not vscode:mcp/install?…");
  const entry = parse(decode(text));
  return [typeof entry["name"] === "string" ? entry["name"] : "", entry];
}

/** `cursor://anysphere.cursor-deeplink/mcp/install?name=…&config=<JSON in Base64>`. */
function fromCursor(link: string): [name: string, entry: JsonObject] {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const config = url?.searchParams.get("config");
  if (url === undefined || !url.pathname.endsWith("/mcp/install") || config === null || config === undefined)
    throw invalid("it is not cursor://…/mcp/install?name=…&config=…");
  const text = Buffer.from(config.replaceAll(" ", "+"), "base64").toString("utf8");
  return [url.searchParams.get("name") ?? "", parse(text)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("it is not percent-encoded");
  }
}

function parse(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // reported below
  }
  throw invalid("it does not contain a JSON object");
}

/** A placeholder of another tool, or a native reference, would be filled in with something that its author must not have. */
export function refersToThisMachine(value: JsonValue): boolean {
  if (typeof value === "string")
    return /\$\{|^(?:!|file:|keychain:|env:)/.test(value) && !PLAIN_NAME.test(value);
  return typeof value === "object" && value !== null && Object.values(value).some(refersToThisMachine);
}

function invalid(reason: string): Error {
  return usageError(`This install link cannot be used: ${reason}.`);
}
