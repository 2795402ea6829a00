import { isJsonObject, isList, type JsonObject, type JsonValue, nearest } from "../../model/index.ts";
import { segmentsOfPath } from "./clean-path.ts";
import { foldText } from "./fold-text.ts";
import {
  type ArgumentMatcher,
  MATCHER_TYPES,
  type MatcherType,
  POLICY_ANSWERS,
  type PolicyDocument,
  type PolicyRule,
  SUBJECT_KINDS,
  type SubjectKind,
} from "./policy-document.ts";

/** Reports an error in the value at a path. */
export type ReportPolicy = (path: readonly string[], message: string) => void;

const MOST_RULES = 1_000;
const DOCUMENT_KEYS = ["rules", "otherwise"];
const RULE_KEYS = ["name", "who", "servers", "tools", "resources", "prompts", "kinds", "where", "then", "by"];
const WHERE_KEYS = ["readOnly", "destructive", "arguments"];
const ITEM_KEYS = { tool: "tools", resource: "resources", prompt: "prompts" } as const;
const WHO = /^(?:\*|(?:person|group|token|scope):.+)$/s;

/**
 * Reads a policy. Returns `undefined` if anything in it is wrong: a rule that is skipped could allow what it should deny.
 * `usual` is what happens if no rule applies and the document does not say.
 */
export function readPolicy(
  value: JsonValue,
  usual: PolicyDocument["otherwise"],
  report: ReportPolicy,
): PolicyDocument | undefined {
  let isRight = true;
  const refuse: ReportPolicy = (path, message) => {
    isRight = false;
    report(path, message);
  };
  if (!isJsonObject(value)) {
    refuse([], "must be an object with rules");
    return undefined;
  }
  checkKeys(value, DOCUMENT_KEYS, [], refuse);
  const { rules = [], otherwise = usual } = value;
  if (otherwise !== "allow" && otherwise !== "deny") refuse(["otherwise"], 'must be "allow" or "deny"');
  if (!isList(rules) || rules.length > MOST_RULES)
    refuse(["rules"], `must be a list of at most ${MOST_RULES} rules`);
  const read = (isList(rules) ? rules : []).map((rule, index) =>
    readRule(rule, index, (path, message) => refuse(["rules", String(index), ...path], message)),
  );
  return isRight ? { rules: read, otherwise: otherwise === "allow" ? "allow" : "deny" } : undefined;
}

function readRule(value: JsonValue, index: number, refuse: ReportPolicy): PolicyRule {
  const rule = isJsonObject(value) ? value : {};
  if (!isJsonObject(value)) refuse([], "must be an object");
  checkKeys(rule, RULE_KEYS, [], refuse);
  const { name = `rule ${index + 1}`, by = "client" } = rule;
  if (typeof name !== "string" || name === "" || name.length > 100) refuse(["name"], "must be a short text");
  const answer = POLICY_ANSWERS.find((known) => known === rule["then"]);
  if (answer === undefined) refuse(["then"], 'must be "allow", "ask" or "deny"');
  if (by !== "client" && by !== "dashboard") refuse(["by"], 'must be "client" or "dashboard"');
  if (rule["by"] !== undefined && answer !== "ask") refuse(["by"], 'works only with "then": "ask"');
  const who = texts(rule, "who", refuse) ?? [];
  if (rule["who"] === undefined) refuse(["who"], 'is missing; use ["*"] for everyone');
  for (const [at, entry] of who.entries())
    if (!WHO.test(entry))
      refuse(["who", String(at)], 'must be "*", "person:…", "group:…", "token:…" or "scope:…"');
  const where = readWhere(rule["where"], refuse);
  const fold = (pattern: string): string => (answer === "allow" ? pattern : foldText(pattern));
  const items = Object.fromEntries(
    Object.entries(ITEM_KEYS).flatMap(([kind, key]) => {
      const patterns = texts(rule, key, refuse);
      return patterns === undefined ? [] : [[kind, patterns.map(fold)]];
    }),
  ) as PolicyRule["items"];
  return {
    name: String(name),
    who,
    servers: texts(rule, "servers", refuse) ?? ["*"],
    kinds: readKinds(rule, items, where, refuse),
    items,
    ...where,
    answer: answer ?? "deny",
    by: by === "dashboard" ? by : "client",
  };
}

type Where = Pick<PolicyRule, "readOnly" | "destructive" | "matchers">;

/** Without `kinds`, a rule applies to the kinds that it has patterns for, or else to everything. */
function readKinds(
  rule: JsonObject,
  items: PolicyRule["items"],
  { readOnly, destructive, matchers }: Where,
  refuse: ReportPolicy,
): ReadonlySet<SubjectKind> {
  const named = Object.keys(items) as SubjectKind[];
  const isForTools = readOnly !== undefined || destructive !== undefined || matchers.length > 0;
  const given = texts(rule, "kinds", refuse);
  for (const [at, kind] of (given ?? []).entries())
    if (!SUBJECT_KINDS.some((known) => known === kind))
      refuse(["kinds", String(at)], `must be one of ${SUBJECT_KINDS.join(", ")}`);
  const kinds = new Set(SUBJECT_KINDS.filter((kind) => given?.includes(kind)));
  for (const kind of named)
    if (given !== undefined && !kinds.has(kind))
      refuse(
        [ITEM_KEYS[kind as keyof typeof ITEM_KEYS]],
        `has no effect, because "kinds" does not contain "${kind}"`,
      );
  const other = [...kinds, ...named].find((kind) => kind !== "tool");
  if (isForTools && other !== undefined) refuse(["where"], `works only for tools, not for "${other}"`);
  if (given !== undefined) return kinds;
  if (named.length > 0) return new Set(named);
  return new Set(isForTools ? ["tool"] : SUBJECT_KINDS);
}

function readWhere(value: JsonValue | undefined, refuse: ReportPolicy): Where {
  const where = isJsonObject(value) ? value : {};
  if (value !== undefined && !isJsonObject(value)) refuse(["where"], "must be an object");
  checkKeys(where, WHERE_KEYS, ["where"], refuse);
  for (const key of ["readOnly", "destructive"] as const)
    if (where[key] !== undefined && typeof where[key] !== "boolean")
      refuse(["where", key], "must be true or false");
  const { readOnly, destructive, arguments: args = {} } = where;
  if (!isJsonObject(args)) refuse(["where", "arguments"], "must be an object");
  const matchers = Object.entries(isJsonObject(args) ? args : {}).flatMap(([argument, matcher]) =>
    readMatchers(argument, matcher, (path, message) =>
      refuse(["where", "arguments", argument, ...path], message),
    ),
  );
  return {
    ...(typeof readOnly === "boolean" && { readOnly }),
    ...(typeof destructive === "boolean" && { destructive }),
    matchers,
  };
}

function readMatchers(argument: string, value: JsonValue, refuse: ReportPolicy): readonly ArgumentMatcher[] {
  const members = Object.entries(isJsonObject(value) ? value : {});
  if (members.length === 0) refuse([], `must be an object with one of ${MATCHER_TYPES.join(", ")}`);
  return members.flatMap(([key, given]) => {
    const type = MATCHER_TYPES.find((known) => known === key);
    if (type === undefined) {
      refuse([key], `must be one of ${MATCHER_TYPES.join(", ")}`);
      return [];
    }
    const patterns = isList(given) ? given : [given];
    if (patterns.length === 0) refuse([key], "must not be empty");
    for (const pattern of patterns) {
      const problem = patternProblem(type, pattern);
      if (problem !== undefined) refuse([key], problem);
    }
    return [{ argument, type, patterns }];
  });
}

/** A pattern that can never fit would deny everything, or nothing. */
function patternProblem(type: MatcherType, pattern: JsonValue): string | undefined {
  if (type === "equals") return undefined;
  if (typeof pattern !== "string" || pattern === "") return "must contain texts";
  if (type === "path" && segmentsOfPath(pattern.replaceAll("*", "x")) === undefined)
    return `"${pattern}" is not a path without "..", "~" and variables`;
  if (type === "url" && !/^[a-z][a-z0-9+.-]*:\/\/(?:\*\.)?[^*/?#@]+(?:\/[^?#]*)?$/i.test(pattern))
    return `"${pattern}" is not a URL pattern such as https://api.example.com/v1/**`;
  if (type === "repository" && !/^[^/\s]+(?:\/[^/\s]+)+$/.test(pattern))
    return `"${pattern}" is not a pattern such as owner/* or github.com/owner/*`;
  return undefined;
}

function texts(holder: JsonObject, key: string, refuse: ReportPolicy): readonly string[] | undefined {
  const value = holder[key];
  if (value === undefined) return undefined;
  const list = (isList(value) ? value : []).filter(
    (item): item is string => typeof item === "string" && item !== "",
  );
  if (!isList(value) || list.length !== value.length || list.length === 0)
    refuse([key], "must be a list of texts that is not empty");
  return list;
}

function checkKeys(
  value: JsonObject,
  known: readonly string[],
  path: readonly string[],
  refuse: ReportPolicy,
): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const similar = nearest(key, known);
    refuse(
      [...path, key],
      `is not a known key${similar === undefined ? "" : `; did you mean "${similar}"?`}`,
    );
  }
}
