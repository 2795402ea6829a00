import type { InputRequest, JsonObject, JsonValue } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { isObject } from "../json-object.ts";
import { usageError } from "../usage-error.ts";

const LONGEST_LINK = 20_000;
const MOST_INPUTS = 50;
/** The fields of a link's entry that are used. Others could grant permissions that the user does not see. */
const FIELDS = ["type", "command", "args", "env", "url", "headers", "cwd"] as const;

/** The text of a variable's name, not its value. */
const PLAIN_NAME = /^\$\{=text:-\w+\}$/;

/** The content of an install link. All of it is untrusted. */
interface Linked {
  readonly name: string;
  readonly entry: JsonObject;
  /** VS Code's description of the values that the user is asked for. */
  readonly inputs: JsonValue | undefined;
}

/** Reads an install link of VS Code or Cursor. A value that the user is asked for becomes `{id}`. */
export function readInstallLink(link: string): {
  readonly name: string;
  readonly server: JsonObject;
  readonly inputs: readonly InputRequest[];
} {
  if (link.length > LONGEST_LINK) throw invalid("it is too long");
  const { name, entry, inputs } = readLink(link);
  const fields = FIELDS.flatMap((key) => {
    const value = Object.hasOwn(entry, key) ? entry[key] : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  const declared = readInputs(inputs);
  const used = new Set<string>();
  const server = replaceInputs(Object.fromEntries(fields), declared, used) as Record<string, JsonValue>;
  if (refersToThisMachine(server))
    throw invalid("its entry refers to variables, secrets or commands of this machine");
  for (const key of ["env", "headers"] as const)
    if (server[key] !== undefined) server[key] = asPlainTexts(server[key]);
  return { name, server, inputs: [...declared.values()].filter(({ id }) => used.has(id)) };
}

function readLink(link: string): Linked {
  if (/^cursor:/i.test(link)) return fromCursor(link, "/mcp/install");
  if (/^https:\/\/(?:www\.)?cursor\./i.test(link)) return fromCursor(link, "/install-mcp");
  if (!/^https:/i.test(link)) return fromVsCode(link);
  const { pathname, searchParams } = new URL(link);
  if (pathname !== "/redirect/mcp/install") return fromVsCode(searchParams.get("url") ?? "");
  const inputs = searchParams.get("inputs");
  return {
    name: searchParams.get("name") ?? "",
    entry: parse(searchParams.get("config") ?? ""),
    inputs: inputs === null ? undefined : parseJson(inputs),
  };
}

/** Returns the inputs that can be asked for, by id. */
function readInputs(value: JsonValue | undefined): ReadonlyMap<string, InputRequest> {
  const list = Array.isArray(value) ? (value as readonly JsonValue[]).slice(0, MOST_INPUTS) : [];
  return new Map(
    list.flatMap((input): [string, InputRequest][] => {
      if (!isObject(input)) return [];
      const { id, type, password, default: preset, options, description } = input;
      if (typeof id !== "string" || !/^[\w.-]{1,100}$/.test(id) || type === "command") return [];
      const choices = Array.isArray(options) ? (options as readonly JsonValue[]).map(choiceOf) : [];
      const texts = choices.filter((choice) => typeof choice === "string" && safeLine(choice) === choice);
      return [
        [
          id,
          {
            id,
            required: true,
            ...(password === true && { secret: true }),
            ...(typeof preset === "string" && safeLine(preset) === preset && { default: preset }),
            ...(texts.length > 0 && { options: texts as string[] }),
            ...(typeof description === "string" && { description }),
          },
        ],
      ];
    }),
  );
}

function choiceOf(option: JsonValue): JsonValue | undefined {
  return isObject(option) ? option["value"] : option;
}

/** Replaces `${input:id}` by `{id}`, if the link declares the input. */
function replaceInputs(
  value: JsonValue,
  declared: ReadonlyMap<string, InputRequest>,
  used: Set<string>,
): JsonValue {
  if (typeof value === "string")
    return value.replaceAll(/\$\{input:([\w.-]+)\}/g, (whole, id: string) => {
      if (!declared.has(id)) return whole;
      used.add(id);
      return `{${id}}`;
    });
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item) => replaceInputs(item, declared, used));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceInputs(item, declared, used)]),
  );
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
function fromVsCode(link: string): Linked {
  const [, text] = /^vscode(?:-insiders)?:(?:\/\/)?mcp\/install\?(.+)$/is.exec(link) ?? [];
  if (text === undefined) throw invalid("it is not vscode:mcp/install?…");
  const entry = parse(decode(text));
  return { name: typeof entry["name"] === "string" ? entry["name"] : "", entry, inputs: entry["inputs"] };
}

/**
 * `cursor://anysphere.cursor-deeplink/mcp/install?name=…&config=<JSON in Base64>`, or `https://cursor.com/install-mcp?…`. Cursor also
 * accepts a whole command line in `command`.
 */
function fromCursor(link: string, path: string): Linked {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const config = url?.searchParams.get("config");
  if (url === undefined || !url.pathname.endsWith(path) || config === null || config === undefined)
    throw invalid("it is not cursor://…/mcp/install?name=…&config=…");
  const text = Buffer.from(config.replaceAll(" ", "+"), "base64").toString("utf8");
  const entry = parse(text);
  const { command, args } = entry;
  const isLine =
    args === undefined && typeof command === "string" && /^[^\s"'\\]+(?:\s+[^\s"'\\]+)+$/.test(command);
  const [program = "", ...words] = isLine ? command.split(/\s+/) : [];
  return {
    name: url.searchParams.get("name") ?? "",
    entry: isLine ? { ...entry, command: program, args: words } : entry,
    inputs: undefined,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("it is not percent-encoded");
  }
}

function parse(text: string): JsonObject {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw invalid("it does not contain a JSON object");
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // reported by the caller
  }
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
