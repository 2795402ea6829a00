import { isJsonObject, isList, type JsonValue, safeText, type ToolDefinition } from "../model/index.ts";

/** A suspicious part of a tool definition that instructs the model instead of describing the tool. */
export interface LintFinding {
  /** The tool's name on the server. */
  readonly tool: string;
  /** What is suspicious, as readable text. */
  readonly what: string;
}

/** A set of names that supports lookups only. */
export type NameLookup = Pick<ReadonlySet<string>, "has" | "size">;

const MOST_TEXT = 20_000;

/** Each pattern has a bounded reach, so that matching takes linear time. */
const SUSPICIOUS_PATTERNS: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: "tells the model to disregard its instructions",
    pattern:
      /\b(?:ignores?|disregards?|forgets?|overrides?|bypass(?:es)?)\b[^.\n]{0,40}\b(?:previous|prior|earlier|above|existing|other|all|any|your|system)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|directions?|guidelines?|policy|policies|restrictions?)\b/i,
  },
  {
    what: "asks the model to hide something from the user",
    pattern:
      /\b(?:do not|don't|never|without|avoid|must not)\b[^.\n]{0,30}\b(?:tell|telling|mention|mentioning|inform|informing|show|showing|reveal|revealing|notify|notifying|alert|alerting|disclose|asking|confirm)\b[^.\n]{0,40}\b(?:user|users|person|human|anyone|them)\b/i,
  },
  {
    what: "imitates a system message",
    pattern:
      /<\/?\s*(?:important|system|secret|instructions?|assistant|admin|hidden|critical)\b[^>\n]{0,40}>|\[\/?(?:system|inst)\]|<\|im_(?:start|end)\|>/i,
  },
  {
    what: "tells the model what to do before or instead of other tools",
    pattern:
      /\b(?:before|prior to|instead of|whenever|after|when)\b[^.\n]{0,20}\b(?:using|calling|invoking|running|you use|you call)\b[^.\n]{0,20}\b(?:any|other|another|every|all|each)\b[^.\n]{0,20}\btools?\b/i,
  },
  {
    what: "mentions files that contain secrets",
    pattern:
      /~?\/?\.ssh\/|\bid_(?:rsa|ed25519)\b|\.aws\/credentials|\/etc\/(?:passwd|shadow)|\.(?:cursor|claude|plugboard)\/mcp\.json|(?:^|[\s"'`/])\.env\b/i,
  },
  {
    what: "asks for the conversation or for secrets as an argument",
    pattern:
      /\b(?:pass|include|send|put|provide|append|add|attach|copy)\b[^.\n]{0,60}\b(?:system prompt|conversation(?: history)?|chat history|previous messages|api keys?|credentials|passwords?|private keys?|access tokens?|environment variables)\b/i,
  },
];

/** Zero-width joiners inside emoji sequences. */
const JOINED_EMOJI =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})/gu;

const ENCODED = /[A-Za-z0-9+/]{100,}={0,2}/;

/**
 * Finds signs that a tool definition tries to instruct the model. The findings are hints only; no decision depends on
 * them, because an attacker can use different wording.
 */
export function lintTool(tool: ToolDefinition, otherToolNames: NameLookup = new Set()): LintFinding[] {
  const text = textOf(tool);
  const found = SUSPICIOUS_PATTERNS.filter(({ pattern }) => pattern.test(text)).map(({ what }) => what);
  const plain = text.replace(JOINED_EMOJI, "");
  if (safeText(plain) !== plain) found.push("contains invisible characters");
  const blob = ENCODED.exec(text)?.[0] ?? "";
  if (/[a-z]/.test(blob) && /[A-Z]/.test(blob) && /\d/.test(blob)) found.push("contains encoded text");
  const words = otherToolNames.size === 0 ? [] : (text.match(/[A-Za-z][\w-]{4,}/g) ?? []);
  const other = words.find((word) => /[_-]/.test(word) && otherToolNames.has(word));
  if (other !== undefined) found.push(`mentions "${other}", a tool of another server`);
  return found.map((what) => ({ tool: tool.name, what }));
}

/** Returns all strings of a definition, because parameters can also contain descriptions. */
function textOf({ name, title, description, inputSchema, annotations }: ToolDefinition): string {
  const texts = [name, title, annotations?.title, description?.slice(0, MOST_TEXT)];
  let left = MOST_TEXT;
  const gather = (value: JsonValue | undefined): void => {
    if (left <= 0) return;
    if (typeof value === "string") {
      texts.push(value.slice(0, left));
      left -= value.length;
    } else if (isList(value)) {
      left -= 1;
      for (const item of value) {
        if (left <= 0) return;
        gather(item);
      }
    } else if (isJsonObject(value)) {
      left -= 1;
      for (const key in value) {
        if (left <= 0) return;
        texts.push(key.slice(0, left));
        left -= key.length;
        gather(value[key]);
      }
    }
  };
  gather(inputSchema);
  return texts.join("\n").replaceAll("\r\n", "\n");
}
