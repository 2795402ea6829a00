/** Collects all texts that people read: API docs, messages, comments, identifiers, test titles, documents, the changelog. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

export const KINDS = ["api doc", "message", "document", "comment", "test title", "identifier", "change log"];

const LEAST_WORDS = 3;

/** Returns `{ kind, text, file }` for every text, each text once. */
export function collectTexts() {
  const found = [
    ...[...files("src", ".ts"), ...files("src", ".tsx")]
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .flatMap(inSource),
    ...[...files("src", ".test.ts"), ...files("test", ".test.ts")].flatMap(testTitles),
    ...["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", ...files("docs", ".md")].flatMap(
      (file) => sentences(file, "document"),
    ),
    ...sentences("CHANGELOG.md", "change log"),
  ];
  return [...new Map(found.map((item) => [`${item.kind}\0${item.text}`, item])).values()];
}

function files(folder, ending) {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", folder],
    {
      encoding: "utf8",
    },
  );
  return listed.split("\0").filter((file) => file.endsWith(ending) && existsSync(file));
}

/** Comments, strings of at least three words, and declared names. */
function inSource(file) {
  const source = readFileSync(file, "utf8");
  const items = [];
  for (const { type, text, isData } of readTokens(source)) {
    if (isData) continue;
    if (type === "comment") {
      const words = cleanComment(text);
      const kind = text.startsWith("/**") && isPublic(file) ? "api doc" : "comment";
      if (countWords(words) >= LEAST_WORDS && !/biome-ignore|oxlint|@ts-/.test(words))
        items.push({ kind, text: words, file });
    } else {
      const words = text.slice(1, -1).replace(/\\n/g, " ").replace(/\s+/g, " ").trim();
      if (isMessage(words)) items.push({ kind: "message", text: words, file });
    }
  }
  if (file.endsWith(".tsx"))
    for (const [, text] of source.matchAll(/(?<!=)>([^<>{}=;"[\]]+)</g)) {
      const words = text.replace(/\s+/g, " ").trim();
      if (isMessage(words)) items.push({ kind: "message", text: words, file });
    }
  for (const [, name] of source.matchAll(
    /^\s*(?:export )?(?:async )?(?:function|const|let|class|interface|type) ([A-Za-z]\w{3,})/gm,
  ))
    items.push({ kind: "identifier", text: name, file });
  return items;
}

/** Finds comments and strings in one pass. A regular expression with a quote can end a string early, which is harmless here. */
function* readTokens(source) {
  for (let at = 0; at < source.length; ) {
    const two = source.slice(at, at + 2);
    let end;
    if (two === "/*") end = source.indexOf("*/", at + 2) + 2;
    else if (two === "//" && /^\s?$/.test(source[at - 1] ?? "")) end = source.indexOf("\n", at);
    else if (/["'`]/.test(source[at])) end = endOfString(source, at);
    else {
      at += 1;
      continue;
    }
    if (end <= at) return;
    const type = two.startsWith("/") ? "comment" : "string";
    yield { type, text: source.slice(at, end), isData: type === "string" && isDataAt(source, at, end) };
    at = end;
  }
}

/** Returns whether a string is a list of words or the classes of an element, not a text. */
function isDataAt(source, start, end) {
  if (/class=\{?$/.test(source.slice(Math.max(0, start - 8), start))) return true;
  return /^\s*[,)]?\s*\.(?:trim\(\)\s*\.)?split\(/.test(source.slice(end, end + 40));
}

/** Strings in double and single quotes end at the end of the line at the latest. */
function endOfString(source, start) {
  const quote = source[start];
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (quote === "`" && source.startsWith("${", at)) at = endOfExpression(source, at + 2) - 1;
    else if (source[at] === quote || (source[at] === "\n" && quote !== "`")) return at + 1;
  }
  return source.length;
}

/** Returns the end of `${…}`, which can contain strings. */
function endOfExpression(source, start) {
  for (let at = start, depth = 1; at < source.length; at += 1) {
    if (/["'`]/.test(source[at])) at = endOfString(source, at) - 1;
    else if (source[at] === "{") depth += 1;
    else if (source[at] === "}" && (depth -= 1) === 0) return at + 1;
  }
  return source.length;
}

/** Modules whose declarations are part of the public API. */
function isPublic(file) {
  return /^src[\\/](?:[\w-]+\.ts$|adapters|compat|testing|model|session|operations[\\/].*-api\.ts$)/.test(
    file,
  );
}

function cleanComment(text) {
  return text
    .replace(/^\/\*\*?|\*\/$|^\/\//g, "")
    .replace(/^\s*\* ?/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns whether a string is a text for people. Long strings without punctuation are lists of words. */
function isMessage(text) {
  return (
    countWords(text) >= LEAST_WORDS &&
    (countWords(text) <= 15 || /[.,:;"()]/.test(text)) &&
    /[a-z] [a-z]/i.test(text) &&
    !/^(?:SELECT|INSERT|UPDATE|DELETE|BEGIN|CREATE|ALTER|FROM|WITH|SET)\b|^position\(|^\^/.test(text) &&
    !/^[\w-]+\/[\w-]+|^#!|=>|[{};]$|\.(?:test|replace)\(\/|\[\^/.test(text)
  );
}

/** Returns each title after the titles of its `describe` blocks, as test reporters show it. */
function testTitles(file) {
  const groups = [];
  const titles = [];
  let isTableOfGroups = false;
  const source = readFileSync(file, "utf8").replace(/\(\n\s+(?=["'`])/g, "(");
  for (const line of source.split("\n")) {
    const table = /^\s*(describe|test|it)\.(?:each|for)\b/.exec(line);
    if (table) isTableOfGroups = table[1] === "describe";
    const found = /^(\s*)(?:(describe)\b|test\b|it\b|\]?\)(?=\()).*?\((["'`])((?:\\.|(?!\3).){2,}?)\3,/.exec(
      line,
    );
    if (found === null) continue;
    const [, { length: depth }, isGroup, , title] = found;
    while (groups.length > 0 && groups.at(-1).depth >= depth) groups.pop();
    if (isGroup || (isTableOfGroups && /^\s*\]?\)/.test(line))) groups.push({ depth, title });
    else if (title.length > 2) titles.push([...groups.map((group) => group.title), title].join(" › "));
  }
  return titles.map((text) => ({ kind: "test title", text, file }));
}

/** Returns the sentences of a document, without code blocks and generated tables. */
function sentences(file, kind) {
  return readFileSync(file, "utf8")
    .replace(/^```[\s\S]*?^```/gm, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\. ))/)
    .map((part) =>
      part
        .replace(/^\s*(?:[-*#|]+|\d+\.)\s*/, "")
        .replace(/\*\*|\s+/g, (found) => (found === "**" ? "" : " "))
        .trim(),
    )
    .flatMap((part) => part.split(/(?<=[.!?]) (?=[A-Z`"[])/))
    .filter((text) => countWords(text) >= LEAST_WORDS && !/^[-| :]+$/.test(text))
    .map((text) => ({ kind, text, file }));
}

function countWords(text) {
  return text.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length;
}
