/** The authentication challenge in a server's response. */
export interface Challenge {
  readonly resourceMetadata?: string;
  readonly scope?: string;
  readonly error?: string;
  /** Whether the server accepts DPoP tokens. */
  readonly dpop: boolean;
}

const LONGEST = 16 * 1024;
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;

/** Parses the Bearer and DPoP challenges of a `WWW-Authenticate` header. Other schemes are skipped. */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  if (header === undefined || header.length > LONGEST) return undefined;
  const found = schemesIn(header).filter(({ scheme }) => scheme === "bearer" || scheme === "dpop");
  if (found.length === 0) return undefined;
  const parameter = (name: string): string | undefined =>
    found.map(({ parameters }) => parameters.get(name)).find((value) => value !== undefined);
  const [resourceMetadata, scope, error] = ["resource_metadata", "scope", "error"].map(parameter);
  return {
    ...(resourceMetadata !== undefined && { resourceMetadata }),
    ...(scope !== undefined && scope.trim() !== "" && { scope: scope.trim() }),
    ...(error !== undefined && { error }),
    dpop: found.some(({ scheme }) => scheme === "dpop"),
  };
}

interface Scheme {
  readonly scheme: string;
  readonly parameters: Map<string, string>;
}

/** In `Basic realm="a", Bearer error="b"`, a word before `=` is a parameter and any other word starts a challenge. */
function schemesIn(header: string): Scheme[] {
  const schemes: Scheme[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(header) ?? undefined;
    if (match !== undefined) at = pattern.lastIndex;
    return match;
  };
  while (at < header.length) {
    take(/[\s,]+/y);
    const word = take(TOKEN)?.[0];
    if (word === undefined) {
      at += 1; // skip a character that does not match the grammar
      continue;
    }
    if (take(/\s*=\s*/y) === undefined) {
      schemes.push({ scheme: word.toLowerCase(), parameters: new Map() });
      continue;
    }
    const value = take(QUOTED)?.[1]?.replace(/\\(.)/g, "$1") ?? take(TOKEN)?.[0] ?? "";
    const { parameters } = schemes.at(-1) ?? {};
    if (parameters !== undefined && !parameters.has(word.toLowerCase()))
      parameters.set(word.toLowerCase(), value);
  }
  return schemes;
}
