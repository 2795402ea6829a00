import { CALL_ANSWERS, type CallAnswer, matchesGlob, type Server } from "../model/index.ts";
import type { CheckedTool, ToolDecision } from "./tool-decision.ts";

/**
 * Decides whether a call runs, needs confirmation, or is denied. The most specific pattern wins; of equal ones, the
 * strictest.
 */
export function decideCall(server: Server, tool: CheckedTool, otherwise: string): ToolDecision {
  const { approval } = server.rules;
  if (approval.length === 0) return { answer: "allow", rule: otherwise };
  const [match] = approval
    .filter(({ pattern }) => matchesGlob(pattern, tool.name))
    .sort(
      (left, right) =>
        specificity(right.pattern) - specificity(left.pattern) ||
        strictness(right.answer) - strictness(left.answer),
    );
  if (match === undefined) return { answer: "allow", rule: otherwise };
  const { pattern, answer } = match;
  const rule = `"approval" of its entry is "${answer}" for "${pattern}"`;
  switch (answer) {
    case "allow":
    case "ask":
      return { answer, rule };
    case "deny":
      return { answer: "deny", reason: "denied", rule };
    case "ask-writes": {
      // A server's annotations about itself count only if the user trusts the server.
      const isReadOnly = tool.annotations?.readOnlyHint === true && isTrusted(server);
      if (!isReadOnly) return { answer: "ask", rule };
      return tool.isUnreviewed === true
        ? { answer: "ask", rule: `${rule}, and its read-only annotation is not reviewed yet` }
        : { answer: "allow", rule: `${rule}, and the tool is read-only` };
    }
  }
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
