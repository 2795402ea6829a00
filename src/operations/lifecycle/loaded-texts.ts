import { isJsonObject } from "../../model/index.ts";

/*
 * The texts of configs that a program loaded. Strings have no identity, so a project's text is recognized by its content, even as
 * a part, a trimmed copy, or inside a longer text.
 */
const userTexts = new Set<string>();
const projectTexts = new Set<string>();
/** Variable names in the placeholders of a project's texts. */
const projectPlaceholders = new Set<string>();
/** All words in a project's texts that could be the name of a variable. */
const projectTextWords = new Set<string>();

/** Remembers every text in a config, at any depth. */
export function rememberTexts(config: object, tier: "user" | "project"): void {
  const texts = tier === "project" ? projectTexts : userTexts;
  for (const text of textsIn(config)) {
    if (texts.has(text)) continue;
    texts.add(text);
    if (tier !== "project") continue;
    for (const rest of text.split("${").slice(1)) projectPlaceholders.add(/^[^}:]*/.exec(rest)?.[0] ?? "");
    for (const [word] of text.matchAll(/\w+/g)) projectTextWords.add(word);
  }
}

/**
 * Returns whether the user's own files contain this exact text. If a project's text also contains it, it counts as the user's only
 * in the user's config object.
 */
export function isUserText(text: string, isInUserConfig: boolean): boolean {
  return userTexts.has(text) && (isInUserConfig || !isInProjectText(text));
}

/** Returns whether a project's text has a placeholder for this variable. */
export function isProjectPlaceholder(variable: string): boolean {
  return projectPlaceholders.has(variable);
}

/** Returns whether a command or variable name occurs in a project's text. */
export function isProjectValue(value: string): boolean {
  if (/^\w+$/.test(value)) return projectTextWords.has(value);
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

/** Yields the object or list itself and every object and list inside it. */
export function* objectsIn(value: unknown, seen: Set<object> = new Set()): Generator<object> {
  if (!(isJsonObject(value) || Array.isArray(value)) || seen.has(value)) return;
  seen.add(value);
  yield value;
  for (const member of Object.values(value)) yield* objectsIn(member, seen);
}
