import type { AgentTool, JsonValue } from "../../index.ts";

const MOST = 20;

/** Tools that share words with the query, the best first. A word counts for more the fewer tools have it, and in a name. */
export function searchTools(query: string, tools: readonly AgentTool[]): string[] {
  const wanted = wordsOf(query);
  const known = tools.map((tool) => ({
    name: tool.name,
    inName: wordsOf(`${tool.name} ${tool.title}`),
    inText: wordsOf(`${tool.server} ${tool.description} ${parametersOf(tool).join(" ")}`),
  }));
  const weights = [...wanted].map((word) => {
    const having = known.filter(({ inName, inText }) => inName.has(word) || inText.has(word)).length;
    return [word, having === 0 ? 0 : Math.log(1 + tools.length / having)] as const;
  });
  return known
    .map(({ name, inName, inText }) => ({
      name,
      score: weights.reduce(
        (sum, [word, weight]) => sum + (inName.has(word) ? 2 * weight : inText.has(word) ? weight : 0),
        0,
      ),
    }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** `readFiles` and `read_file` share a word; a plural is its singular. */
function wordsOf(text: string): Set<string> {
  const words = text
    .slice(0, 10_000)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return new Set((words ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, "") : word)));
}

function parametersOf({ inputSchema }: AgentTool): string[] {
  const properties: JsonValue | undefined = inputSchema["properties"];
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}
