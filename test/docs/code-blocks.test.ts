import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkValue } from "../../src/bridge/check/check-value.ts";
import { patternsFor } from "../../src/bridge/index.ts";
import { parseJson } from "../../src/documents/index.ts";
import type { JsonObject, JsonValue } from "../../src/model/index.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";
import { type CodeBlock, codeBlocks, codeSpans, documents, textOf } from "./markdown.ts";
import { findDeclaration } from "./reference/declarations.ts";
import { wrongInLine, wrongInSpan } from "./shown-commands.ts";

/** Languages of code blocks that the tests below check. Blocks without a language show a screen or a diagram. */
const LANGUAGES = ["", "sh", "js", "json", "jsonc"];

const pages = documents.filter((document) => codeBlocks(textOf(document)).length > 0);
const isGenerated = (document: string): boolean => document.startsWith("docs/reference/");

describe.each(pages)("%s", (document) => {
  const blocks = codeBlocks(textOf(document));

  test("uses only languages that are checked", () => {
    const other = blocks.filter(({ language }) => !LANGUAGES.includes(language));
    expect(isGenerated(document) ? [] : other).toEqual([]);
  });

  test("shows code exactly as in a file that the tests run", () => {
    for (const { from = "", code, line } of blocks.filter(({ language }) => language === "js")) {
      expect(existsSync(from) ? code : `line ${line} has no file`).toBe(readFileSync(from, "utf8"));
    }
  });

  test("shows commands that exist", () => {
    const lines = blocks.flatMap(({ language, code }) => (language === "sh" ? code.split("\n") : []));
    const wrong = lines.flatMap(wrongInLine);
    expect(wrong).toEqual([]);
  });

  test("shows config files without problems", async () => {
    for (const block of blocks.filter(
      ({ language, from }) => language.startsWith("json") && from === undefined,
    ))
      expect(await complaints(block, document)).toEqual([]);
  });
});

test.each(documents)("%s names commands that exist", (document) => {
  expect(codeSpans(textOf(document)).flatMap(wrongInSpan)).toEqual([]);
});

describe("the documents show the program's actual JSON output", () => {
  const marked = (name: string): CodeBlock => {
    const found = documents
      .flatMap((document) => codeBlocks(textOf(document)))
      .find(({ from }) => from === name);
    if (found === undefined) throw new Error(`No block is marked <!-- ${name} -->.`);
    return found;
  };

  test("an error", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { files: { command: "x" } } });
    const { json } = await runCli(["test", "fles", "--json"], { sandbox });
    expect(json()).toEqual(valueOf(marked("answer:error")));
  });

  test("the keys of a server", () => {
    const [server] = (valueOf(marked("answer:list")) as { servers: [JsonObject] }).servers;
    const declared = ["ServerView", "ServerStateDetails"].flatMap((name) => {
      const { text = "" } = findDeclaration("index.d.ts", name) ?? {};
      return [...text.matchAll(/^ {4}readonly (\w+)\??:/gm)].map(([, key]) => key);
    });
    expect(Object.keys(server).filter((key) => key !== "state")).toEqual(declared);
  }, 120_000); // it may compile the declarations

  test("the events of a turn", () => {
    const shown = marked("answer:print")
      .code.trim()
      .split("\n")
      .map((line) => parse(line) as { type: string });
    const sources = ["chat-event.ts", "print/report.ts"].map((file) =>
      textOf(`src/surfaces/tui/chat/${file}`),
    );
    const emitted = sources
      .flatMap((source) => [...source.matchAll(/\btype: "([\w.]+)"/g)])
      .map(([, type]) => type);
    expect(new Set(shown.map(({ type }) => type))).toEqual(new Set([...emitted, "error"]));
  });
});

/** Returns the problems of a config, settings or gateway file, or of the policy of a gateway. */
async function complaints(block: CodeBlock, document: string): Promise<string[]> {
  const shown = valueOf(block) as JsonObject;
  const value = "rules" in shown ? { policy: shown } : shown;
  const isGateway = document === "docs/team.md" || document === "docs/cluster.md";
  const name = "mcpServers" in value ? "mcp" : isGateway ? "gateway" : "settings";
  const schema = JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8")) as Record<string, JsonValue>;
  const { properties } = schema as { properties: JsonObject };
  if (isGateway) delete schema["required"]; // only `docs/team.md` shows a whole file, and its own test runs that
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  const patterns = await patternsFor(schema);
  return [...unknown, ...checkValue(value, schema, { ...(patterns && { patterns }) })];
}

function valueOf({ code }: CodeBlock): JsonValue {
  return parse(code);
}

function parse(code: string): JsonValue {
  const { value, problems } = parseJson(code);
  expect(problems).toEqual([]);
  return value as JsonValue;
}
