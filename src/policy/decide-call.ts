import { CALL_ANSWERS, type CallAnswer, matchesGlob, type Server } from "../model/index.ts";
import type { CheckedTool, ToolDecision } from "./tool-decision.ts";

/** What applies to a call if no rule of the server's entry matches the tool. */
export interface CallDefaults {
  /** The `approval` setting. */
  readonly setting?: CallAnswer | undefined;
  /** The default of the caller, for example of a session. It applies if there is no setting. */
  readonly callerDefault?: CallAnswer | undefined;
}

/**
 * Decides whether a call runs, needs confirmation, or is denied. A rule of the entry comes first, then the setting, then the
 * caller's default.
 */
export function decideCall(
  server: Server,
  tool: CheckedTool,
  otherwise: string,
  defaults: CallDefaults,
): ToolDecision {
  const rule = ruleOfEntry(server, tool.name) ?? defaultRule(defaults);
  const decision: ToolDecision =
    rule === undefined ? { answer: "allow", rule: otherwise } : applyRule(rule, server, tool);
  return decision.answer === "ask" && tool.allowedAt !== undefined
    ? { answer: "allow", rule: `you always allow this tool (since ${tool.allowedAt.slice(0, 10)})` }
    : decision;
}

interface CallRule {
  readonly answer: CallAnswer;
  readonly words: string;
  readonly isDefault: boolean;
}

/** Returns the entry's rule for a tool. The most specific pattern wins; of equal ones, the strictest. */
function ruleOfEntry({ rules: { approval } }: Server, name: string): CallRule | undefined {
  if (approval.length === 0) return undefined;
  const [match] = approval
    .filter(({ pattern }) => matchesGlob(pattern, name))
    .sort(
      (left, right) =>
        specificity(right.pattern) - specificity(left.pattern) ||
        strictness(right.answer) - strictness(left.answer),
    );
  if (match === undefined) return undefined;
  const { pattern, answer } = match;
  return { answer, words: `"approval" of its entry is "${answer}" for "${pattern}"`, isDefault: false };
}

function defaultRule({ setting, callerDefault }: CallDefaults): CallRule | undefined {
  if (setting !== undefined)
    return { answer: setting, words: `"approval" in the settings is "${setting}"`, isDefault: true };
  if (callerDefault === undefined) return undefined;
  const words = `the default for calls by a model is "${callerDefault}"`;
  return { answer: callerDefault, words, isDefault: true };
}

function applyRule({ answer, words, isDefault }: CallRule, server: Server, tool: CheckedTool): ToolDecision {
  switch (answer) {
    case "allow":
      return { answer, rule: words };
    case "ask":
      return { answer, rule: words, isDefault };
    case "deny":
      return { answer, reason: "denied", rule: words };
    case "ask-writes": {
      if (isConfined(server))
        return { answer: "allow", rule: `${words}, and its sandbox allows neither writing nor connections` };
      // A server's annotations about itself count only if the user trusts the server.
      const isReadOnly = tool.annotations?.readOnlyHint === true && isTrusted(server);
      if (!isReadOnly) return { answer: "ask", rule: words, isDefault };
      return tool.isUnreviewed === true
        ? { answer: "ask", rule: `${words}, and its read-only annotation is not reviewed yet`, isDefault }
        : { answer: "allow", rule: `${words}, and the tool is read-only` };
    }
  }
}

/**
 * Returns whether a server can change nothing but its private data folder. Its sandbox decides, never the server's own annotations: a
 * server with a sandbox does not start without it.
 */
function isConfined({ launch }: Server): boolean {
  const profile = launch?.transport === "stdio" ? launch.sandbox : undefined;
  return profile?.write?.length === 0 && profile.network === "none" && profile.hosts.length === 0;
}

/**
 * The user's own servers are trusted unless their entry says otherwise. A project's are trusted only if the approved
 * entry says so.
 */
export function isTrusted({ rules, provenance }: Server): boolean {
  return rules.trust === undefined ? provenance.tier !== "project" : rules.trust === "trusted";
}

function specificity(pattern: string): number {
  let stars = 0;
  for (let at = pattern.indexOf("*"); at !== -1; at = pattern.indexOf("*", at + 1)) stars += 1;
  return pattern.length - stars + (stars === 0 ? 0.5 : 0);
}

function strictness(answer: CallAnswer): number {
  return CALL_ANSWERS.indexOf(answer);
}
