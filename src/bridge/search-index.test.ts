import { describe, expect, test } from "vitest";
import { SearchIndex } from "./search-index.ts";
import { wordsOf } from "./search-words.ts";

const tool = (server: string, name: string, description: string, ...parameters: readonly string[]) => ({
  server,
  tool: name,
  description,
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(parameters.map((parameter) => [parameter, {}])),
  },
});
const TOOLS = [
  tool("github", "create_issue", "Create a new issue in a repository.", "owner", "repo", "title", "body"),
  tool("github", "list_pull_requests", "Lists pull requests of a repository.", "owner", "repo", "state"),
  tool("files", "read_file", "Reads the complete contents of a file.", "path"),
  tool("files", "delete_file", "Deletes a file from disk.", "path"),
  tool("mail", "send_email", "Sends a message to a recipient.", "to", "subject", "body"),
  tool("calendar", "createEvent", "Creates an event.", "start", "end", "attendees"),
  tool("weather", "forecast", "The weather of the next days.", "city"),
];
const index = new SearchIndex(TOOLS);
const first = (query: string): string | undefined => index.search(query, 5)[0]?.item.tool;

describe("a tool is found", () => {
  test.each([
    ["by its words", "create issue", "create_issue"],
    ["in other grammar", "creating issues", "create_issue"],
    ["by its name in one word", "createEvent", "createEvent"],
    ["by a synonym", "remove a document", "delete_file"],
    ["by another synonym", "mail somebody", "send_email"],
    ["for an appointment", "schedule a meeting", "createEvent"],
    ["with a slip of the pen", "forcast", "forecast"],
    ["with two letters swapped", "wether forecsat", "forecast"],
    ["by the beginning of a word", "pull req", "list_pull_requests"],
    ["by a parameter", "attendees", "createEvent"],
    ["by its server", "github pull", "list_pull_requests"],
  ])("%s: %s", (_, query, expected) => {
    expect(first(query)).toBe(expected);
  });
});

test("what shares nothing is not found, and nothing finds nothing", () => {
  expect(index.search("quantum entanglement", 5)).toEqual([]);
  expect(index.search("", 5)).toEqual([]);
  expect(index.search("the of and", 5)).toEqual([]);
  expect(new SearchIndex([]).search("x", 5)).toEqual([]);
});

test("the same question has the same answer, and at most as many as asked for", () => {
  expect(index.search("file", 1)).toHaveLength(1);
  expect(index.search("file path", 5)).toEqual(index.search("file path", 5));
});

test.each(["constructor", "__proto__", "\u0000", "x".repeat(100_000), "( [ \\ *", "日本語"])(
  "a question cannot break it: %j",
  (query) => {
    expect(Array.isArray(index.search(query, 5))).toBe(true);
  },
);

test.each([
  ["readTextFile", ["read", "text", "fil"]],
  ["HTTPServer_listAll2", ["http", "serv", "list", "all2"]],
  ["deleting deleted deletes", ["delet", "delet", "delet"]],
])("words are cut alike: %s", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});
