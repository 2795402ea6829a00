import { type AgentTool, groupBy, shortLine } from "../model/index.ts";
import { estimateTextTokens } from "./estimate-tokens.ts";
import { describeParameterTypes } from "./signature.ts";

/** Below 600 tokens, because the estimate can be a tenth too low, and other encodings than o200k need more. */
const TOKENS_PER_ANSWER = 460;
/** An answer with more tools than usual may be longer. */
const TOKENS_PER_TOOL = 57;
const LONGEST_SENTENCE = 140;
const LONGEST_SERVER = 60;

export const NOTHING_FOUND =
  "No tool matches. Search again with other general words, or without `server`. If nothing is found then, there is no such tool.";

/** A line of the answer while it is written. */
interface Line {
  /** The names of tools that differ in their names only. */
  readonly names: readonly string[];
  /** The server, if the name does not contain it. */
  readonly server: string;
  readonly required: string;
  readonly optional: readonly string[];
  readonly sentence: string;
  shows: { required: boolean; sentence: boolean; optional: number };
}

/**
 * Renders search results, one line per tool: `name(a: string, b?: integer) What it does.` Spends a fixed number of tokens: first on the
 * required parameters of all tools, then on what the tools do, then on the optional parameters of the best ones.
 */
export function renderHits(hits: readonly AgentTool[]): string {
  if (hits.length === 0) return NOTHING_FOUND;
  const lines = fold(hits.map(toLine));
  let left = Math.max(TOKENS_PER_ANSWER, TOKENS_PER_TOOL * hits.length);
  for (const line of lines) left -= costOf(line);
  const spend = (line: Line, shows: Line["shows"]): boolean => {
    const extra = costOf({ ...line, shows }) - costOf(line);
    if (extra > left) return false;
    left -= extra;
    line.shows = shows;
    return true;
  };
  for (const line of lines) spend(line, { ...line.shows, required: true });
  for (const line of lines) spend(line, { ...line.shows, sentence: true });
  for (const line of lines) {
    if (!line.shows.required) continue;
    for (let optional = 1; optional <= line.optional.length; optional += 1)
      if (!spend(line, { ...line.shows, optional })) break;
  }
  return lines.map(render).join("\n");
}

function toLine({ name, server, description, inputSchema }: AgentTool): Line & { readonly of: string } {
  const { required, optional } = describeParameterTypes(inputSchema);
  return {
    names: [name],
    of: server,
    server: isNamedIn(server, name) ? "" : `[${shortLine(server, LONGEST_SERVER)}] `,
    required: required.join(", "),
    optional,
    sentence: firstSentence(description),
    shows: { required: required.length === 0, sentence: false, optional: 0 },
  };
}

/** Joins tools of one server that take the same arguments and whose descriptions are alike except for their names. */
function fold(lines: readonly ReturnType<typeof toLine>[]): Line[] {
  const key = ({ of, names: [name = ""], required, optional, sentence }: (typeof lines)[number]): string => {
    const own = new Set(name.toLowerCase().split(/[^\p{L}\p{N}]+/u));
    const words = sentence.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    const rest = words.filter((word) => !own.has(word) && !own.has(word.replace(/s$/, "")));
    return JSON.stringify([of, required, optional, rest]);
  };
  return [...groupBy(lines, key).values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    return [{ ...first, names: alike.flatMap(({ names }) => names) }];
  });
}

function render({ names, server, required, optional, sentence, shows }: Line): string {
  const hidden = optional.length - shows.optional;
  const parameters = [
    ...(required === "" ? [] : [shows.required ? required : "…"]),
    ...optional.slice(0, shows.optional),
    ...(hidden > 0 ? [`…${hidden} optional`] : []),
  ];
  const text = `${names.join(" | ")}(${parameters.join(", ")}) ${server}${shows.sentence ? sentence : ""}`;
  return text.trimEnd();
}

function costOf(line: Line): number {
  return estimateTextTokens(`${render(line)}\n`);
}

function firstSentence(description: string): string {
  const line = shortLine(description, 400);
  const end = /[.!?](?=\s)|\s⏎/.exec(line)?.index ?? line.length;
  return shortLine(line.slice(0, end), LONGEST_SENTENCE);
}

function isNamedIn(server: string, name: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "_");
  return plain(name).includes(plain(server));
}
