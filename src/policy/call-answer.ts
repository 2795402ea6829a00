import { CALL_ANSWERS, type CallAnswer, matchesGlob, type Server } from "../model/index.ts";
import type { GateTool, ToolDecision } from "./tool-decision.ts";

/** Is a call made, or is a person asked first? The most exact pattern decides; of two alike, the stricter. */
export function callAnswer(server: Server, tool: GateTool, otherwise: string): ToolDecision {
  const { approval } = server.rules;
  if (approval.length === 0) return { answer: "allow", rule: otherwise };
  const [rule] = approval
    .filter(({ pattern }) => matchesGlob(pattern, tool.name))
    .sort(
      (left, right) =>
        exactness(right.pattern) - exactness(left.pattern) ||
        strictness(right.answer) - strictness(left.answer),
    );
  if (rule === undefined) return { answer: "allow", rule: otherwise };
  const { pattern, answer } = rule;
  const said = `"approval" of its entry is "${answer}" for "${pattern}"`;
  switch (answer) {
    case "allow":
    case "ask":
      return { answer, rule: said };
    case "deny":
      return { answer: "deny", reason: "denied", rule: said };
    case "ask-writes": {
      // A server's word on itself is worth something only where a person trusts the server.
      const saysItReads = tool.annotations?.readOnlyHint === true && isTrusted(server);
      if (!saysItReads) return { answer: "ask", rule: said };
      return tool.isUnreviewed === true
        ? { answer: "ask", rule: `${said}, and its read-only annotation is not reviewed yet` }
        : { answer: "allow", rule: `${said}, and the tool is read-only` };
    }
  }
}

/** A person's own servers are trusted unless they say otherwise; a project's only when its approved entry says so. */
export function isTrusted({ rules, provenance }: Server): boolean {
  return rules.trust === undefined ? provenance.tier !== "project" : rules.trust === "trusted";
}

function exactness(pattern: string): number {
  let stars = 0;
  for (let at = pattern.indexOf("*"); at !== -1; at = pattern.indexOf("*", at + 1)) stars += 1;
  return pattern.length - stars + (stars === 0 ? 0.5 : 0);
}

function strictness(answer: CallAnswer): number {
  return CALL_ANSWERS.indexOf(answer);
}
