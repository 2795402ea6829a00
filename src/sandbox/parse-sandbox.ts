import { isJsonObject, isList, type JsonValue, type SandboxProfile } from "../model/index.ts";
import { isHostRule } from "./host-rules.ts";

/** The default profile: the project is writable, and there is no network. */
export const DEFAULT_PROFILE: SandboxProfile = {
  read: [],
  write: undefined,
  env: [],
  network: "none",
  hosts: [],
};

/** How many paths or names a list may have. */
const MOST_ITEMS = 100;
const KEYS: ReadonlySet<string> = new Set(["read", "write", "env", "network", "hosts", "image"]);

const PATHS = { isValid: isPath, items: "paths that start with /, ~/ or the name of a file" };
const LISTS = {
  read: PATHS,
  write: PATHS,
  env: { isValid: isVariableName, items: "variable names" },
  hosts: { isValid: isHost, items: 'hosts such as "api.example.com", "*.example.com" or "127.0.0.1:5432"' },
};

/** A valid profile (`undefined` if the value disables the sandbox), or the reason why the value is invalid. */
export type ParsedSandbox = { readonly profile: SandboxProfile | undefined } | { readonly problem: string };

/** Parses the `sandbox` field. Unknown keys are errors, because ignoring one could allow more than the author meant. */
export function parseSandbox(value: JsonValue): ParsedSandbox {
  if (value === false) return { profile: undefined };
  if (value === true) return { profile: DEFAULT_PROFILE };
  if (!isJsonObject(value))
    return { problem: '"sandbox" must be true, false or an object such as { "read": ["~/notes"] }' };
  const unknown = Object.keys(value).find((key) => !KEYS.has(key));
  if (unknown !== undefined)
    return { problem: `"sandbox" has the unknown key "${unknown}" (use ${[...KEYS].join(", ")})` };
  const { network = "none" } = value;
  if (network !== "none" && network !== "full")
    return { problem: '"network" of "sandbox" must be "none" or "full"' };
  for (const [key, { isValid, items }] of Object.entries(LISTS)) {
    const list = value[key];
    if (list === undefined) continue;
    if (!isList(list) || list.length > MOST_ITEMS || !list.every(isValid)) {
      return { problem: `"${key}" of "sandbox" must be a list of at most ${MOST_ITEMS} ${items}` };
    }
  }
  if (network === "full" && value["hosts"] !== undefined)
    return { problem: '"hosts" of "sandbox" cannot be combined with "network": "full"' };
  const { image, hosts } = value;
  if (image !== undefined && !isImage(image))
    return { problem: '"image" of "sandbox" must be a container image such as "node:22-slim"' };
  if (image !== undefined && hosts !== undefined)
    return { problem: '"hosts" of "sandbox" cannot be combined with "image"' };
  const texts = (key: string): string[] => [...new Set((value[key] ?? []) as string[])];
  return {
    profile: {
      read: texts("read"),
      write: value["write"] === undefined ? undefined : texts("write"),
      env: texts("env"),
      network,
      hosts: texts("hosts"),
      ...(image !== undefined && { image }),
    },
  };
}

/** A name that starts with `-` would be an option of the container engine. */
function isImage(value: JsonValue): value is string {
  return (
    typeof value === "string" &&
    value.length <= 500 &&
    /^[a-z0-9][\w.-]*(?::\d+)?(?:\/[\w.-]+)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/i.test(value)
  );
}

/** `..` is refused: after a link, it would mean another folder than the text says. */
function isPath(item: JsonValue): boolean {
  return (
    typeof item === "string" &&
    item !== "" &&
    item.length <= 4_096 &&
    !/[\0$]/.test(item) &&
    !/(?:^|\/)\.\.(?:\/|$)/.test(item) &&
    !/^~(?!\/)/.test(item)
  );
}

function isVariableName(item: JsonValue): boolean {
  return typeof item === "string" && /^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(item);
}

function isHost(item: JsonValue): boolean {
  return typeof item === "string" && isHostRule(item);
}
