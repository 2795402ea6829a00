import type { JsonObject, JsonValue, Position } from "../../model/index.ts";

/** A server that a `crushrc` appears to add, and its position. */
export interface CrushrcServer {
  readonly name: string;
  /** In the format of `crush.json`. */
  readonly entry: JsonObject;
  readonly at: Position;
}

/**
 * Finds servers that a `crushrc` adds with `mcp add`. Plugboard never runs this bash script. It only splits it into
 * words: variables and `$(…)` stay as written, and conditions are not evaluated.
 */
export function readCrushrc(text: string): CrushrcServer[] {
  const servers = new Map<string, CrushrcServer>();
  for (const { words, at } of commandsIn(text)) {
    const [verb = "", name = "", ...flags] = afterMcp(words);
    if (name === "" || /[$`]/.test(name)) continue;
    if (verb === "add") servers.set(name, { name, entry: readFlags(flags), at });
    else if (verb === "remove" || verb === "rm") servers.delete(name);
  }
  return [...servers.values()];
}

const OPENERS = new Set(["then", "do", "else", "{", "!", "if", "elif", "while", "until"]);

/** Returns the words after `mcp` if the command starts with it. */
function afterMcp(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !OPENERS.has(word));
  return words[start] === "mcp" ? words.slice(start + 1) : [];
}

const LISTS = new Set(["args", "disabled_tools", "enabled_tools"]);
const MAPS: Readonly<Record<string, string>> = { env: "env", header: "headers" };
const SWITCHES = new Set(["disabled", "oauth"]);
const NUMBERS = new Set(["timeout", "oauth_callback_port"]);

function readFlags(flags: readonly string[]): JsonObject {
  const entry: Record<string, JsonValue> = Object.create(null);
  const maps: Record<string, Record<string, JsonValue>> = {};
  const lists: Record<string, JsonValue[]> = {};
  for (let at = 0; at < flags.length; ) {
    const [, flag = "", joined] = /^--([a-z][a-z-]*)(?:=(.*))?$/s.exec(flags[at] ?? "") ?? [];
    at += 1;
    if (flag === "") continue;
    const key = flag.replaceAll("-", "_");
    const next = (): string => joined ?? flags[at++] ?? "";
    const map = Object.hasOwn(MAPS, key) ? MAPS[key] : undefined;
    if (map !== undefined) {
      const name = next();
      maps[map] ??= Object.create(null) as Record<string, JsonValue>;
      maps[map][name] = flags[at++] ?? "";
      entry[map] = maps[map];
    } else if (LISTS.has(key)) {
      lists[key] ??= [];
      lists[key].push(next());
      entry[key] = lists[key];
    } else if (SWITCHES.has(key)) entry[key] = readSwitch(joined, flags[at], () => next());
    else if (NUMBERS.has(key)) entry[key] = numberOr(next());
    else entry[key] = next();
  }
  return entry;
}

/** A switch without a value is on. */
function readSwitch(joined: string | undefined, following: string | undefined, next: () => string): boolean {
  if (joined === undefined && (following === undefined || following.startsWith("--"))) return true;
  return /^(?:true|1|yes)$/i.test(next());
}

function numberOr(text: string): JsonValue {
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : text;
}

interface Command {
  readonly words: readonly string[];
  readonly at: Position;
}

/** No script that a person wrote is longer. */
export const LONGEST_SCRIPT = 100_000;

/** Matches one token: white space, the end of a command, or a part of a word. */
const TOKEN =
  /(?<blank>(?:[^\S\n]|\\\n)+)|(?<end>[\n;&|()]+)|(?<quoted>'[^']*'|"(?:\\[\s\S]|[^"\\])*")|(?<escaped>\\[\s\S])|(?<plain>[^\s;&|()'"\\`$]+|[\s\S])/y;

const LONGEST_DYNAMIC = 300;

/**
 * Finds the end of `$(…)`, `${…}` and `` `…` `` on one line. Each closing sign is searched for once, however many
 * opening signs there are.
 */
function dynamicPieces(text: string): (index: number) => number | undefined {
  const closers = new Map<string, { readonly pattern: RegExp; at: number }>(
    Object.entries({ "$(": /[)\n]|$/g, "${": /[}\n]|$/g, "`": /[`\n]|$/g }).map(([opener, pattern]) => [
      opener,
      { pattern, at: -1 },
    ]),
  );
  return (index) => {
    const opener = text[index] === "`" ? "`" : text.slice(index, index + 2);
    const closer = closers.get(opener);
    if (closer === undefined) return undefined;
    const inside = index + opener.length;
    if (closer.at < inside) {
      closer.pattern.lastIndex = inside;
      closer.at = closer.pattern.exec(text)?.index ?? text.length;
    }
    const isClosed = closer.at < text.length && text[closer.at] !== "\n";
    return isClosed && closer.at - inside < LONGEST_DYNAMIC ? closer.at + 1 : undefined;
  };
}

function commandsIn(text: string): Command[] {
  const commands: Command[] = [];
  let words: string[] = [];
  let word: string | undefined;
  let at: Position = { line: 1, column: 1 };
  let line = 1;
  let lineStart = 0;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push({ words, at });
    words = [];
  };
  const source = withoutComments(text.slice(0, LONGEST_SCRIPT).replaceAll("\r\n", "\n"));
  const dynamicEnd = dynamicPieces(source);
  for (let index = 0; index < source.length; ) {
    const { token, groups } = tokenAt(source, index, dynamicEnd(index));
    if (groups["blank"] !== undefined) endWord();
    else if (groups["end"] !== undefined) endCommand();
    else {
      if (words.length === 0 && word === undefined) at = { line, column: index - lineStart + 1 };
      word = (word ?? "") + textOf(token, groups);
    }
    const breaks = token.split("\n").length - 1;
    if (breaks > 0) lineStart = index + token.lastIndexOf("\n") + 1;
    line += breaks;
    index += token.length;
  }
  endCommand();
  return commands;
}

interface Token {
  readonly token: string;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

function tokenAt(source: string, index: number, dynamicEnd: number | undefined): Token {
  if (dynamicEnd !== undefined) return { token: source.slice(index, dynamicEnd), groups: {} };
  TOKEN.lastIndex = index;
  const { 0: token = "", groups = {} } = TOKEN.exec(source) ?? {};
  return { token: token || (source[index] ?? ""), groups };
}

function textOf(token: string, { quoted, escaped }: Readonly<Record<string, string | undefined>>): string {
  if (escaped !== undefined) return token.slice(1);
  if (quoted === undefined) return token;
  const inner = token.slice(1, -1);
  return token.startsWith("'")
    ? inner
    : inner.replace(/\\(["\\$`\n])/g, (_, char: string) => (char === "\n" ? "" : char));
}

/** Replaces comments with spaces to keep positions unchanged. A `#` in quotes is not a comment. */
function withoutComments(text: string): string {
  return text.replace(
    /'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|(^|[\s;&|()])(#[^\n]*)/gm,
    (whole: string, before: string | undefined, comment: string | undefined) =>
      comment === undefined ? whole : `${before ?? ""}${" ".repeat(comment.length)}`,
  );
}
