/** Measures how often an acceptable tool is among the first five results, by kind of request and half of the set. */
import { requests } from "./requests.mjs";

const MOST = 5;

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

const EMPTY = new Set(
  `a about am an and are as at away be by did do does for from go have how i in into is it its just me my not of off on or our out over put
   that the there this to two up was what where which who why will with yet you your`.split(/\s+/),
);

/** Returns words without their endings. Intentionally different from the ranking, because that is measured here. */
function rootsOf(text) {
  const words = text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? [])
    .filter((word) => !EMPTY.has(word))
    .map((word) =>
      word.length < 4
        ? word
        : word.replace(/ies$/, "y").replace(/(?:ations?|ions?|ings?|ers?|ed|es|s|e)$/, ""),
    );
}
