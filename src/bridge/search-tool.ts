import { type AgentTool, itemsOf, type JsonValue, nearest, shortLine } from "../model/index.ts";
import { type MetaSource, within } from "./meta-source.ts";
import { NUMBER, ownTool, TEXT } from "./own-tool.ts";
import type { ToolFinder } from "./search/tool-finder.ts";
import { renderHits } from "./search-answer.ts";
import { describeServers } from "./server-catalog.ts";

const [FOUND, FOUND_MOST] = [8, 50] as const;
const MOST_QUERIES = 3;

/** A search by words finds a tool far more often if a model writes the words of the tool than with the words of a user. */
const DESCRIPTION = `Finds tools of the servers listed below. Pass three short \`queries\` for the one tool you need, each worded differently and like a tool's name: verb, object, product. Begin one with the likely server: "github create issue". Use general terms, not the user's sentence, names or values. For "the intern left, lock her out": ["deactivate user", "remove organization member", "revoke access"]. Then call a result with mcp_call_tool.`;

/** Creates the tool that finds tools. */
export function toSearchTool(source: MetaSource, find: ToolFinder): AgentTool {
  return ownTool(
    "mcp_search_tools",
    `${DESCRIPTION}\nServers: ${describeServers(source.tools())}`,
    {
      queries: { type: "array", items: TEXT, minItems: 1, maxItems: MOST_QUERIES },
      server: { ...TEXT, description: "Search only this server" },
      limit: { ...NUMBER, maximum: FOUND_MOST },
    },
    ["queries"],
    async ({ queries, query, server, limit }) => {
      const wanted = queriesIn(queries ?? query);
      if (wanted.length === 0)
        return { wrong: '"queries" is required: what the tool should do, in one to three short phrases.' };
      if (server !== undefined && server !== null) {
        const problem = serverProblem(server, source);
        if (problem !== undefined) return { wrong: problem };
      }
      const hits = await find(source.tools(), wanted, {
        most: within(limit, FOUND, FOUND_MOST),
        ...(typeof server === "string" && { server }),
      });
      return renderHits(hits);
    },
  );
}

/** Returns the queries that a model passes: a list, or one text. */
function queriesIn(value: JsonValue | undefined): string[] {
  const texts = typeof value === "string" ? [value] : itemsOf(value);
  return texts
    .filter((text) => typeof text === "string" && text.trim() !== "")
    .slice(0, MOST_QUERIES) as string[];
}

function serverProblem(server: JsonValue, source: MetaSource): string | undefined {
  const known = new Set(source.tools().map((tool) => tool.server));
  if (typeof server === "string" && known.has(server)) return undefined;
  const name = String(server);
  const close = nearest(name.slice(0, 200), [...known]);
  return `Unknown server "${shortLine(name, 100)}".${close === undefined ? "" : ` Did you mean "${shortLine(close, 60)}"?`}`;
}
