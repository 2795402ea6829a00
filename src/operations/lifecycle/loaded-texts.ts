import { isJsonObject } from "../../model/index.ts";

/*
 * The texts of configs that a program loaded. A text has no identity, so a repository's text is recognised by its content:
 * also in a piece of it, in a trimmed copy, and inside a longer text.
 */
const userTexts = new Set<string>();
const projectTexts = new Set<string>();
/** Variable names in the placeholders of a repository's texts. */
const projectPlaceholders = new Set<string>();
/** Everything in a repository's texts that could be the name of a variable. */
const projectWords = new Set<string>();

/** Remembers every text of a config, however deep. */
export function rememberTexts(config: object, tier: "user" | "project"): void {
  const texts = tier === "project" ? projectTexts : userTexts;
  for (const text of textsIn(config)) {
    if (texts.has(text)) continue;
    texts.add(text);
    if (tier !== "project") continue;
    for (const rest of text.split("${").slice(1)) projectPlaceholders.add(/^[^}:]*/.exec(rest)?.[0] ?? "");
    for (const [word] of text.matchAll(/\w+/g)) projectWords.add(word);
  }
}

/** Does one of the user's own files have this exact text? If a repository's text contains it, it is the user's only in the user's config object. */
export function isUserText(text: string, isInUserConfig: boolean): boolean {
  return userTexts.has(text) && (isInUserConfig || !isInProjectText(text));
}

/** Does a repository's text have a placeholder for this variable? */
export function isProjectPlaceholder(variable: string): boolean {
  return projectPlaceholders.has(variable);
}

/** Is this value, which is a command or the name of a variable, in a repository's text? */
export function isProjectValue(value: string): boolean {
  if (/^\w+$/.test(value)) return projectWords.has(value);
  return isInProjectText(value);
}

function isInProjectText(piece: string): boolean {
  const trimmed = piece.trim();
  for (const text of projectTexts) if (text.includes(trimmed)) return true;
  return false;
}

function* textsIn(config: object): Generator<string> {
  for (const object of objectsIn(config))
    yield* Object.values<unknown>({ ...object }).filter((member) => typeof member === "string");
}

/** The object or list itself, and every object and list inside it. */
export function* objectsIn(value: unknown, seen: Set<object> = new Set()): Generator<object> {
  if (!(isJsonObject(value) || Array.isArray(value)) || seen.has(value)) return;
  seen.add(value);
  yield value;
  for (const member of Object.values(value)) yield* objectsIn(member, seen);
}
