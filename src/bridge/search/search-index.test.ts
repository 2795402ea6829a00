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
    ["with a typo", "forcast", "forecast"],
    ["with two letters swapped", "wether forecsat", "forecast"],
    ["by the beginning of a word", "pull req", "list_pull_requests"],
    ["by a parameter", "attendees", "createEvent"],
    ["by its server", "github pull", "list_pull_requests"],
    ["by an expression of two words", "set up an appointment", "createEvent"],
    ["by colloquial words", "get rid of a paper", "delete_file"],
    ["by its server as its makers write it", "GitHub pull", "list_pull_requests"],
    ["by its server in two words", "git hub pull", "list_pull_requests"],
    ["by two words that are one in its name", "fore cast", "forecast"],
    ["with a typo in an ending", "atendees", "createEvent"],
    ["with a word that matches nothing", "forecast for Reykjavik", "forecast"],
  ])("%s: %s", (_, query, expected) => {
    expect(first(query)).toBe(expected);
  });
});

test("a query without matches and an empty query find nothing", () => {
  expect(index.search("quantum entanglement", 5)).toEqual([]);
  expect(index.search("", 5)).toEqual([]);
  expect(index.search("the of and", 5)).toEqual([]);
  expect(new SearchIndex([]).search("x", 5)).toEqual([]);
});

test("the same query has the same results, at most as many as requested", () => {
  expect(index.search("file", 1)).toHaveLength(1);
  expect(index.search("file path", 5)).toEqual(index.search("file path", 5));
});

test.each(["constructor", "__proto__", "\u0000", "x".repeat(100_000), "( [ \\ *", "日本語"])(
  "a query cannot break the search: %j",
  (query) => {
    expect(Array.isArray(index.search(query, 5))).toBe(true);
  },
);

test.each([
  ["readTextFile", ["read", "text", "fil"]],
  ["HTTPServer_listAll2", ["http", "server", "list", "all2"]],
  ["deleting deleted deletes", ["delet", "delet", "delet"]],
  ["notion error customer folder", ["notion", "error", "customer", "folder"]],
  ["customers folders errors", ["customer", "folder", "error"]],
  ["東京の天気", ["東京", "の", "天気"]],
])("words are stemmed: %s", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

describe("among several tools with a word", () => {
  const rank = (tools: readonly ReturnType<typeof tool>[], query: string): string[] =>
    new SearchIndex(tools).search(query, 10).map(({ item }) => item.tool);

  test("a match in the name comes before one in the description, and the first sentence before the rest", () => {
    const mentioned = tool("s", "other", `Does this. ${"And that. ".repeat(30)}It can archive too.`);
    const opening = tool("s", "third", "Can archive things.");
    expect(rank([mentioned, opening, tool("s", "archive", "Does it.")], "archive")).toEqual([
      "archive",
      "third",
      "other",
    ]);
  });

  test("the exact word comes before its synonym", () => {
    expect(rank([tool("s", "delete_x", "."), tool("s", "erase_x", ".")], "erase")).toEqual([
      "erase_x",
      "delete_x",
    ]);
  });

  test("a tool that matches every word comes before one that repeats a single word", () => {
    const often = tool("s", "invoice_invoice", "Invoice, invoice, invoice.");
    expect(rank([often, tool("s", "export_invoice", "Exports.")], "export invoice")[0]).toBe(
      "export_invoice",
    );
  });

  test("one word of a tool does not match two words of the query", () => {
    // "bug" and "report" both mean "issue"; "report" also means "create".
    const tools = [tool("s", "get_issue", "Issue."), tool("s", "create_issue", "An issue.")];
    expect(rank(tools, "report bug")[0]).toBe("create_issue");
  });

  test("an everyday word for a product finds the tools of its server", () => {
    const tools = [tool("files", "list", "Lists."), tool("shopify-admin", "list", "Lists.")];
    expect(new SearchIndex(tools).search("list our webshop", 1)[0]?.item.server).toBe("shopify-admin");
  });

  test.each([
    ["mongo", "mongodb"],
    ["elastic", "elasticsearch"],
    ["PostgreSQL", "postgres-admin"],
    ["k8s", "kubernetes"],
  ])("the short name %s finds the tools of %s", (said, server) => {
    const tools = [
      tool("files", "list", `Lists files and folders, also those of a ${said} backup.`),
      tool(server, "list", "Lists."),
    ];
    expect(new SearchIndex(tools).search(`list in ${said}`, 1)[0]?.item.server).toBe(server);
  });

  test("words that only introduce a name are ignored", () => {
    const tools = [tool("s", "call_request", "Calls."), tool("s", "create_folder", "Creates a folder.")];
    expect(rank(tools, "make a folder called photos")).toEqual(["create_folder"]);
  });

  test("a rare synonym does not outweigh the word itself", () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      tool("s", `delete_${"abcdefghij"[at % 10]}${at}`, "Deletes."),
    );
    const found = rank(
      [...many, tool("s", "purge", "Other."), tool("s", "delete_cache", "Deletes.")],
      "delete cache",
    );
    expect(found[0]).toBe("delete_cache");
  });

  test("a word that only resembles another after its ending was cut is not a typo", () => {
    const tools = [tool("s", "select_cell", "Selects."), tool("s", "search_news", "Finds news.")];
    expect(rank(tools, "election news")).toEqual(["search_news"]);
  });

  test("the name of a product does not match the parts of its name", () => {
    const tools = [tool("git", "get_commit", "Git."), tool("github", "get_commit", "Gets it.")];
    const hits = new SearchIndex(tools).search("get a commit from GitHub", 1);
    expect(hits[0]?.item.server).toBe("github");
  });

  test("equal scores keep their order, and the limit applies", () => {
    const alike = ["a", "b", "c", "d"].map((server) => tool(server, "same", "Same."));
    const hits = new SearchIndex(alike).search("same", 3);
    expect(hits.map(({ item }) => item.server)).toEqual(["a", "b", "c"]);
    expect(new Set(hits.map(({ score }) => score)).size).toBe(1);
  });
});

test.each([
  ["天気を調べる", "weather"],
  ["查询天气预报", "forecast"],
])("words are found in scripts without spaces: %s", (query, expected) => {
  const tools = [
    tool("s", "weather", "東京の天気予報を表示します。"),
    tool("s", "forecast", "获取城市的天气预报。"),
    tool("s", "other", "その他。"),
  ];
  expect(new SearchIndex(tools).search(query, 5)[0]?.item.tool).toBe(expected);
});

test("the best results do not depend on the limit", () => {
  const names = ["read file", "file reader", "list files", "write", "file", "read all", "reading", "profile"];
  const all = new SearchIndex(names.map((name) => tool("s", name, `${name} and more`)));
  const whole = all.search("read a file", 100);
  for (let most = 1; most <= whole.length; most += 1) {
    expect(all.search("read a file", most)).toEqual(whole.slice(0, most));
  }
});

test("words from servers do not fill the cache", () => {
  for (let at = 0; at < 30_000; at += 1) wordsOf(`word${at}`);
  expect(wordsOf("deleting files")).toEqual(["delet", "fil"]);
});

test("a server with a huge number of words fills neither the memory nor the index of others", () => {
  const flood = Array.from({ length: 400 }, (_, at) =>
    tool("flood", `t${at}`, Array.from({ length: 200 }, (__, word) => `w${at}x${word}`).join(" ")),
  );
  const crowded = new SearchIndex([...flood, tool("flood", "last", "zyxwvuts"), ...TOOLS]);
  expect(crowded.search("w5x7", 1)[0]?.item.tool).toBe("t5");
  expect(crowded.search("zyxwvuts", 1)).toEqual([]);
  for (const query of ["attendees", "pull req", "remove a document"])
    expect(crowded.search(query, 5)[0]?.item).toBe(index.search(query, 5)[0]?.item);
});
