import { matchesGlob } from "../../model/index.ts";
import { isCleanUri } from "./clean-uri.ts";
import { foldText } from "./fold-text.ts";
import { type Fit, matchArguments } from "./match-arguments.ts";
import type {
  PolicyDecision,
  PolicyDocument,
  PolicyPerson,
  PolicyRule,
  PolicySubject,
  SubjectKind,
} from "./policy-document.ts";
import { matchTemplate } from "./template-patterns.ts";

/** Decides about one person. Rules that never apply to the person are omitted. */
export interface PersonPolicy {
  /**
   * Decides about a subject. For a call, with its arguments. Without arguments, or for a URI template: `allow` or `ask` if there are
   * arguments or URIs with which this is the decision.
   */
  decide(subject: PolicySubject): PolicyDecision;
  /** Returns whether anything of a server may be used. */
  sees(server: string): boolean;
}

/** Returns the policy of one person. The first rule that applies decides. */
export function policyFor(policy: PolicyDocument, person: PolicyPerson): PersonPolicy {
  const rules = policy.rules.filter(({ who }) => who.some((entry) => isMeant(entry, person)));
  const otherwise: PolicyDecision = { answer: policy.otherwise, rule: "no rule applies" };
  const byServer = new Map<string, readonly PolicyRule[]>();
  const rulesOf = (server: string): readonly PolicyRule[] => {
    const known = byServer.get(server);
    if (known !== undefined) return known;
    const found = rules.filter(({ servers }) => servers.some((pattern) => matchesGlob(pattern, server)));
    byServer.set(server, found);
    return found;
  };
  return {
    decide(subject) {
      const decision = firstDecision(rulesOf(subject.server), subject) ?? otherwise;
      if (decision.answer !== "deny") return decision;
      const missingScope = scopeFor(policy, person, subject);
      return missingScope === undefined ? decision : { ...decision, missingScope };
    },
    sees(server) {
      for (const rule of rulesOf(server)) {
        if (!OFFERED.some((kind) => rule.kinds.has(kind))) continue;
        if (rule.answer !== "deny") return true;
        if (deniesAll(rule)) return false;
      }
      return policy.otherwise === "allow";
    },
  };
}

/** What a server offers to clients. The other kinds are its own requests. */
const OFFERED: readonly SubjectKind[] = ["tool", "resource", "prompt"];

/** Returns whether a rule applies to everything that a server offers. */
function deniesAll({ kinds, items, readOnly, destructive, matchers }: PolicyRule): boolean {
  const isLimited = readOnly !== undefined || destructive !== undefined || matchers.length > 0;
  return !isLimited && OFFERED.every((kind) => kinds.has(kind) && items[kind] === undefined);
}

/** Returns whether a rule can apply to a person and token. */
export function isMeant(entry: string, { names, groups, token, scopes }: PolicyPerson): boolean {
  if (entry === "*") return true;
  const at = entry.indexOf(":");
  const name = entry.slice(at + 1);
  switch (entry.slice(0, at)) {
    case "person":
      return names.includes(name);
    case "group":
      return groups.includes(name);
    case "token":
      return token === name;
    case "scope":
      return scopes.includes(name);
    default:
      return false;
  }
}

function firstDecision(rules: readonly PolicyRule[], subject: PolicySubject): PolicyDecision | undefined {
  for (const rule of rules) {
    const fit = fitOf(rule, subject);
    if (fit === "no") continue;
    if (fit === "yes") return { answer: rule.answer, rule: rule.name, by: rule.by };
    // With some values, an earlier rule may decide otherwise, but then this one decides about the others.
    if (fit === "sometimes" && rule.answer !== "deny")
      return { answer: rule.answer, rule: rule.name, by: rule.by };
    // A value that cannot be compared is never allowed, and never gets around a rule that denies or asks.
    if (fit === "unclear" && rule.answer !== "allow")
      return { answer: "deny", rule: `${rule.name}, because an argument is ambiguous` };
  }
  return undefined;
}

/** How a rule fits. `sometimes` depends on arguments, or the rest of a URI, that are not known. */
export function fitOf(rule: PolicyRule, subject: PolicySubject): Fit | "sometimes" {
  const { kind } = subject;
  if (!rule.kinds.has(kind)) return "no";
  const itemFit = fitsItem(rule, subject);
  if (itemFit === "no" || itemFit === "unclear") return itemFit;
  if (rule.readOnly !== undefined && rule.readOnly !== (subject.isReadOnly === true)) return "no";
  if (rule.destructive !== undefined && rule.destructive !== (subject.isDestructive !== false)) return "no";
  if (rule.matchers.length === 0) return itemFit;
  if (kind !== "tool") return "no";
  if (subject.arguments === undefined) return "sometimes";
  return matchArguments(rule.matchers, subject.arguments, rule.answer === "allow" ? "all" : "any");
}

/** Patterns of rules that do not allow are folded, so that upper case and Unicode forms make no difference. */
function fitsItem(
  { items, answer }: PolicyRule,
  { kind, item = "", isTemplate = false }: PolicySubject,
): Fit | "sometimes" {
  const patterns = items[kind];
  if (patterns === undefined || patterns.includes("*")) return "yes";
  const text = answer === "allow" ? item : foldText(item);
  if (isTemplate) {
    const fits = patterns.map((pattern) => matchTemplate(pattern, text));
    if (fits.includes("all")) return "yes";
    return fits.includes("some") ? "sometimes" : "no";
  }
  if (kind === "resource" && !isCleanUri(item)) return "unclear";
  return patterns.some((pattern) => matchesGlob(pattern, text)) ? "yes" : "no";
}

/** Returns a scope that a rule requires for this, if the token lacks only that. A client can ask the person for it. */
function scopeFor(policy: PolicyDocument, person: PolicyPerson, subject: PolicySubject): string | undefined {
  if (person.token !== undefined) return undefined;
  for (const { who, servers, ...rule } of policy.rules) {
    const scopes = who.filter((entry) => entry.startsWith("scope:"));
    if (rule.answer === "deny" || scopes.length === 0) continue;
    if (!servers.some((pattern) => matchesGlob(pattern, subject.server))) continue;
    const fit = fitOf({ ...rule, who, servers }, subject);
    if (fit === "yes" || fit === "sometimes") return scopes[0]?.slice("scope:".length);
  }
  return undefined;
}
