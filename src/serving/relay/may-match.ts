import { memoize } from "../../model/index.ts";

/** Compares the literal parts of a URI template in order. The server decides whether the rest is valid. */
export function mayMatch(template: string, uri: string): boolean {
  return matches(literalParts(template), uri);
}

/** As `mayMatch`, for a template in a server's list, which is compared with many addresses. */
export function mayMatchListed(template: { readonly uriTemplate: string }, uri: string): boolean {
  return matches(partsOf(template), uri);
}

const partsOf = memoize(({ uriTemplate }: { readonly uriTemplate: string }) => literalParts(uriTemplate));

function matches(parts: readonly string[], uri: string): boolean {
  if (!uri.startsWith(parts[0] ?? "")) return false;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (uri.startsWith(part) ? 0 : -1) : uri.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return parts.at(-1) === "" || uri.endsWith(parts.at(-1) ?? "");
}

/** There are no expressions after the last `}`, and a pattern would search for the end of every `{` there. */
function literalParts(template: string): string[] {
  const end = template.lastIndexOf("}") + 1;
  const parts = template.slice(0, end).split(/\{[^}]*\}/);
  return [...parts.slice(0, -1), (parts.at(-1) ?? "") + template.slice(end)];
}
