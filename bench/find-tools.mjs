/** Measures how often an acceptable tool is among the first five results, by kind of request and half of the set. */
import { requests } from "./requests.mjs";
import { rootsOf } from "./search/content-words.mjs";

const MOST = 5;

/** The servers that the requests name. Tools of others are left out, because a request does not say whether they are acceptable. */
export const labelledServers = [
  ...new Set(Object.values(requests).flatMap((all) => all.flatMap(({ tools }) => tools.map(serverOf)))),
].sort();

/** `search` returns tools, best match first. */
export function judgeSearch(definitions, search) {
  const byId = new Map(definitions.map((tool) => [`${tool.server}/${tool.tool}`, tool]));
  const judged = Object.entries(requests).flatMap(([kind, all]) =>
    all.flatMap(({ text, tools, isKept }) => {
      const acceptable = tools.flatMap((id) => byId.get(id) ?? []);
      if (acceptable.length === 0 || !isOfKind(kind, text, acceptable)) return [];
      const found = search(text, MOST).map(({ server, tool }) => `${server}/${tool}`);
      return [{ kind, isKept, text, isFound: found.some((id) => tools.includes(id)), found }];
    }),
  );
  return judged;
}

/** Returns `{ count, share }` for one kind of request in one half. */
export function shareFound(judged, kind, isKept) {
  const mine = judged.filter((each) => each.kind === kind && each.isKept === isKept);
  return { count: mine.length, share: mine.filter(({ isFound }) => isFound).length / mine.length };
}

function serverOf(id) {
  return id.slice(0, id.indexOf("/"));
}

function isOfKind(kind, text, tools) {
  const asked = rootsOf(text);
  const isShared = (tool) => {
    const { server, tool: name, title, description, inputSchema } = tool;
    const parameters = Object.keys(inputSchema.properties ?? {});
    const known = new Set(rootsOf([server, name, title, description, ...parameters].join(" ")));
    return asked.some((root) => known.has(root));
  };
  return tools.some(isShared) === (kind === "sharing");
}
