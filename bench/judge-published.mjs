/**
 * Measures how well the search finds tools of published servers, and their cost in tokens. Run as a program, it prints JSON for
 * the score.
 */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { collectTools } from "./collect-tools.mjs";
import { judgeSearch, labelledServers, shareFound } from "./find-tools.mjs";
import { loadSource } from "./load-source.mjs";

/** Calls `announce` for each installation and server. `unavailable` has the servers that failed. */
export async function judgePublished(announce) {
  const { definitions, unavailable } = await collectTools(announce, labelledServers);
  const { toMetaTools, estimateTokens } = await loadSource("bridge/index.ts");
  const { SearchIndex } = await loadSource("bridge/search/search-index.ts");
  const index = new SearchIndex(definitions);
  const judged = judgeSearch(definitions, (query, most) => index.search(query, most).map(({ item }) => item));
  const tokens = {
    direct: estimateTokens(definitions),
    meta: estimateTokens(toMetaTools({ tools: () => definitions })),
  };
  return { definitions, unavailable, judged, tokens };
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { unavailable, judged, tokens } = await judgePublished(console.error);
  for (const [server, reason] of unavailable) console.error(`not collected: ${server}: ${reason}`);
  const kept = (kind) => shareFound(judged, kind, true);
  console.log(JSON.stringify({ sharing: kept("sharing"), synonyms: kept("synonyms"), tokens }));
}
