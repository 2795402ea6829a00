import { isJsonObject, type JsonObject } from "../../../model/index.ts";
import { otherToolNames, withoutOwnNames } from "../../../operations/index.ts";
import { lintTool } from "../../../policy/index.ts";
import { tokensOf } from "../../record/token-costs.ts";
import type { PreviewDocument, ToolDetails, ToolsDocument } from "../api/server-documents.ts";
import { numberIn, type PageContext } from "../page-context.ts";
import { invalidRequest, unknownItem } from "../page-failure.ts";
import type { Route } from "../route.ts";
import { callFromPage, previewFromPage } from "./tool-call.ts";
import { type KnownTool, readKnownTools, ToolSearch, toolsIn, toRow } from "./tool-rows.ts";

const MOST_ROWS = 500;
const LONGEST_QUERY = 500;

/** The tool routes: finding a tool, what a call would do, and the call itself. */
export function toolRoutes(context: PageContext): Route[] {
  const search = new ToolSearch();
  return [
    {
      method: "GET",
      path: "tools",
      right: "read",
      answer: ({ query }) => describeTools(context, search, query),
    },
    {
      method: "GET",
      path: "tools/:server/:tool",
      right: "read",
      answer: async ({ names }) => describeTool(context, await findTool(context, names)),
    },
    {
      method: "POST",
      path: "tools/:server/:tool/preview",
      right: "read",
      answer: async ({ names, body }): Promise<PreviewDocument> =>
        previewFromPage(await findTool(context, names), argumentsIn(body)),
    },
    {
      method: "POST",
      path: "tools/:server/:tool/call",
      right: "tools.call",
      async answer({ names, body, signal }) {
        const tool = await findTool(context, names);
        const { approval } = body;
        const given = typeof approval === "string" ? approval : undefined;
        return callFromPage(context, tool, { args: argumentsIn(body), approval: given, signal });
      },
    },
  ];
}

async function describeTools(
  context: PageContext,
  search: ToolSearch,
  query: URLSearchParams,
): Promise<ToolsDocument> {
  const offset = numberIn(query, "offset") ?? 0;
  const limit = numberIn(query, "limit", { least: 1, most: MOST_ROWS }) ?? 100;
  const revision = context.revision("tools");
  const words = (query.get("query") ?? "").trim();
  if (words.length > LONGEST_QUERY)
    throw invalidRequest(`"query" must have at most ${LONGEST_QUERY} characters.`);
  const server = query.get("server") ?? "";
  const { tools, unknown } = await readKnownTools(context.lists);
  const isWanted = ({ lists }: KnownTool): boolean => server === "" || lists.server.name === server;
  const found = words === "" ? tools : await search.search(tools, words);
  const matching = found.filter(isWanted);
  const next = offset + limit;
  return {
    revision,
    tools: matching.slice(offset, next).map(toRow),
    total: matching.length,
    ...(next < matching.length && { next }),
    unknown: unknown.filter((name) => server === "" || name === server),
  };
}

/** Finds a tool that a request names. Does not connect. */
async function findTool({ lists }: PageContext, names: Readonly<Record<string, string>>): Promise<KnownTool> {
  const server = lists.server(names["server"] ?? "");
  const known = await lists.find(server);
  const tools = known === undefined ? [] : await toolsIn(known);
  const tool = tools.find(({ definition }) => definition.name === names["tool"]);
  if (tool === undefined) throw unknownItem(`"${server.name}" has no known tool with this name.`);
  return tool;
}

async function describeTool({ gateway }: PageContext, tool: KnownTool): Promise<ToolDetails> {
  const { lists, definition, decision } = tool;
  const { inputSchema, outputSchema } = definition;
  const others = withoutOwnNames(await otherToolNames(gateway.workspace, lists.server), lists.catalog.tools);
  return {
    ...toRow(tool),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    rule: decision.rule,
    tokens: tokensOf(definition),
    findings: lintTool(definition, others).map(({ what }) => what),
  };
}

function argumentsIn({ arguments: given = {} }: JsonObject): JsonObject {
  if (isJsonObject(given)) return given;
  throw invalidRequest('"arguments" must be a JSON object.');
}
