import type { Segments } from "./clean-path.ts";
import { hidesSeparators } from "./fold-text.ts";

/** Encoded dots, slashes, backslashes and percent signs: some servers decode them before they read the path. */
const ENCODED = /%(?:2e|2f|5c|25|00)/i;
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u;

/** A URL as it can be compared. */
export interface CleanUrl {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: readonly string[];
}

/** Returns the parts of a URL, or `undefined` if different programs could read it differently. */
export function partsOfUrl(text: string): CleanUrl | undefined {
  if (UNSAFE.test(text) || ENCODED.test(text) || hidesSeparators(text) || !URL.canParse(text))
    return undefined;
  const [, scheme = "", authority = "", rest = ""] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/i.exec(text) ?? [];
  const url = new URL(text);
  const { protocol, host, hostname, username, password, port } = url;
  if (username !== "" || password !== "" || hostname === "" || hostname.endsWith(".")) return undefined;
  // Parsers also accept hosts such as 0x7f.1, and turn them into others.
  const isPlain = authority.toLowerCase().replace(/:(?:80|443)?$/, "") === host.replace(/:(?:80|443)$/, "");
  if (!isPlain || `${scheme.toLowerCase()}:` !== protocol) return undefined;
  const path = segmentsOfUrlPath(rest);
  return path && { scheme: scheme.toLowerCase(), host: hostname, port, path };
}

function segmentsOfUrlPath(path: string): Segments {
  const [, ...parts] = path.replace(/(?<=.)\/$/, "").split("/");
  return parts.some((part) => part === ".." || part === "." || (part === "" && parts.length > 1))
    ? undefined
    : parts.filter((part) => part !== "");
}
