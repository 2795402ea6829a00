import { isEqualJson, isJsonObject, isList, type JsonValue, matchesGlob } from "../../model/index.ts";
import { fitsSegments, isAbsolute, segmentsOfPath } from "./clean-path.ts";
import { partsOfRepository } from "./clean-repository.ts";
import { partsOfUrl } from "./clean-url.ts";
import { foldText } from "./fold-text.ts";
import type { ArgumentMatcher, MatcherType } from "./policy-document.ts";

/** Whether a value fits. `unclear`: the server may read it in another way than it was compared. */
export type Fit = "yes" | "no" | "unclear";

/**
 * Returns whether the arguments of a call fit. `mode` is `all` for a rule that allows: every value must fit exactly. It is `any` for
 * other rules: one value is enough, and upper case, spaces and Unicode forms make no difference.
 */
export function matchArguments(
  matchers: readonly ArgumentMatcher[],
  args: Readonly<Record<string, JsonValue>>,
  mode: "all" | "any",
): Fit {
  let isUnclear = false;
  for (const matcher of matchers) {
    const fit = matchOne(matcher, args, mode);
    if (fit === "no") return "no";
    isUnclear ||= fit === "unclear";
  }
  return isUnclear ? "unclear" : "yes";
}

function matchOne(
  { argument, type, patterns }: ArgumentMatcher,
  args: Readonly<Record<string, JsonValue>>,
  mode: "all" | "any",
): Fit {
  const values = valuesOf(args, argument).flatMap((value) =>
    isList(value) ? (value as JsonValue[]) : [value],
  );
  if (values.length === 0) return "no";
  const fits = values.map((value) => fitsAny(type, patterns, value, mode === "any"));
  if (mode === "any") return fits.includes("yes") ? "yes" : fits.includes("unclear") ? "unclear" : "no";
  return fits.every((fit) => fit === "yes") ? "yes" : fits.includes("no") ? "no" : "unclear";
}

/** A dot can be part of a name, so both meanings of a dotted name count. */
function valuesOf(args: Readonly<Record<string, JsonValue>>, name: string): readonly JsonValue[] {
  const own = Object.hasOwn(args, name) ? [args[name] ?? null] : [];
  const [first, ...rest] = name.split(".");
  if (first === undefined || rest.length === 0 || !Object.hasOwn(args, first)) return own;
  const inner = args[first] ?? null;
  const holders: readonly unknown[] = isList(inner) ? inner : [inner];
  return [
    ...own,
    ...holders.flatMap((holder) => (isJsonObject(holder) ? valuesOf(holder, rest.join(".")) : [])),
  ];
}

function fitsAny(type: MatcherType, patterns: readonly JsonValue[], value: JsonValue, isLoose: boolean): Fit {
  let isUnclear = false;
  for (const pattern of patterns) {
    const fit = COMPARE[type](pattern, value, isLoose);
    if (fit === "yes") return "yes";
    isUnclear ||= fit === "unclear";
  }
  return isUnclear ? "unclear" : "no";
}

type Compare = (pattern: JsonValue, value: JsonValue, isLoose: boolean) => Fit;

const COMPARE: Readonly<Record<MatcherType, Compare>> = {
  equals: (pattern, value, isLoose) =>
    toFit(isEqualJson(pattern, value) || (isLoose && foldedText(pattern) === foldedText(value))),
  text: (pattern, value, isLoose) => {
    if (typeof value !== "string") return "unclear";
    return toFit(
      isLoose ? matchesGlob(foldText(String(pattern)), foldText(value)) : matchesGlob(String(pattern), value),
    );
  },
  path: (pattern, value, isLoose) => {
    const wanted = partsOfPattern(String(pattern));
    const given = typeof value === "string" ? segmentsOfPath(value) : undefined;
    // The server's working folder is not known here.
    if (given === undefined || isAbsolute(given) !== isAbsolute(wanted)) return "unclear";
    return toFit(fitsSegments(wanted, given, part(isLoose)));
  },
  url: (pattern, value, isLoose) => {
    const [, scheme = "", host = "", path = ""] = /^([^:]+):\/\/([^/]+)(.*)$/.exec(String(pattern)) ?? [];
    const given = typeof value === "string" ? partsOfUrl(value) : undefined;
    if (given === undefined) return "unclear";
    const hostAndPort = given.port === "" ? given.host : `${given.host}:${given.port}`;
    const isHost = scheme.toLowerCase() === given.scheme && fitsHost(host.toLowerCase(), hostAndPort);
    const wanted = path.split("/").filter((each) => each !== "");
    return toFit(isHost && fitsSegments(wanted, given.path, part(isLoose)));
  },
  repository: (pattern, value, isLoose) => {
    const given = typeof value === "string" ? partsOfRepository(value) : undefined;
    if (given === undefined) return "unclear";
    const parts = String(pattern).toLowerCase().split("/");
    const hasHost = parts.length > 2 && (parts[0] ?? "").includes(".");
    const [host, path] = hasHost ? [parts[0], parts.slice(1)] : [undefined, parts];
    // A pattern without a host must not allow the same name on another host.
    const isHost = host === undefined ? given.host === undefined || isLoose : given.host === host;
    if (host !== undefined && given.host === undefined) return "unclear";
    const lower = given.path.map((each) => each.toLowerCase());
    return toFit(isHost && fitsSegments(path, lower, matchesGlob));
  },
};

function partsOfPattern(pattern: string): readonly string[] {
  const parts = pattern.replace(/(?<=.)\/$/, "").split("/");
  return [(parts[0] ?? "").replace(/^[A-Za-z]:$/, (drive) => drive.toLowerCase()), ...parts.slice(1)];
}

/** `*.example.com` is any name below that domain, at any depth. */
function fitsHost(pattern: string, host: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : pattern === host;
}

function part(isLoose: boolean): (pattern: string, text: string) => boolean {
  return isLoose ? (pattern, text) => matchesGlob(foldText(pattern), foldText(text)) : matchesGlob;
}

function foldedText(value: JsonValue): string {
  return foldText(typeof value === "string" ? value : JSON.stringify(value));
}

function toFit(isFit: boolean): Fit {
  return isFit ? "yes" : "no";
}
