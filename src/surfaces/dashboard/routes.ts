/** The address of a page: `#/servers/files?tab=logs`. The fragment never reaches the gateway. */
export interface Route {
  readonly page: PageName;
  /** The part after the page: the names of a server and a tool. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export type PageName =
  | "overview"
  | "servers"
  | "tools"
  | "clients"
  | "connections"
  | "approvals"
  | "activity"
  | "setup";

/** The pages in the order of the menu, with the key that opens each after `g`. */
export const PAGES: readonly { readonly page: PageName; readonly title: string; readonly key: string }[] = [
  { page: "overview", title: "Overview", key: "o" },
  { page: "servers", title: "Servers", key: "s" },
  { page: "tools", title: "Tools", key: "t" },
  { page: "clients", title: "Clients", key: "c" },
  { page: "connections", title: "Connections", key: "n" },
  { page: "approvals", title: "Approvals", key: "a" },
  { page: "activity", title: "Activity", key: "v" },
  { page: "setup", title: "Set up a client", key: "u" },
];

/** Returns undefined for an address without a page. */
export function parseRoute(fragment: string): Route | undefined {
  const [path, search] = splitOnce(fragment.replace(/^#?\/?/, ""), "?");
  const [first = "", ...rest] = path.split("/").filter((part) => part !== "");
  const page = first === "" ? "overview" : PAGES.find((entry) => entry.page === first)?.page;
  const parts = rest.map(decode);
  if (page === undefined || parts.some((part) => part === undefined)) return undefined;
  return { page, parts: parts as string[], query: new URLSearchParams(search) };
}

/** The address for a link. */
export function linkTo(
  page: PageName,
  parts: readonly string[] = [],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const path = [page, ...parts.map(encodePart)].join("/");
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.set(name, value);
  return `#/${path}${search.size === 0 ? "" : `?${search}`}`;
}

/** The one-time ticket in the address that `plugboard dashboard` opens: `#ticket=…&page=/approvals`. */
export function parseTicket(
  fragment: string,
): { readonly ticket: string; readonly page: string } | undefined {
  if (!fragment.startsWith("#ticket=")) return undefined;
  const fields = new URLSearchParams(fragment.slice(1));
  const ticket = fields.get("ticket") ?? "";
  return {
    ticket,
    page: parseRoute(fields.get("page") ?? "") === undefined ? "/" : (fields.get("page") ?? "/"),
  };
}

/** Encodes any name. Halves of a character, which no address can contain, are replaced. */
export function encodePart(name: string): string {
  return encodeURIComponent(name.replace(/\p{Cs}/gu, "\ufffd"));
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
