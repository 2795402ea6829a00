/**
 * Reads the answers of the meta tools. Everything in the benchmark that depends on their format is here, so that a change of the format
 * needs a change of this file only.
 */

/**
 * Returns the tools in an answer of `mcp_search_tools`, best first: `{ name, parameters }`. A parameter is `{ name, form }`. `form` is what
 * the answer says about its type, or an empty text.
 */
export function readHits(text) {
  return text.split("\n").flatMap((line) => {
    const found = /^(mcp_[^(]+)\(/.exec(line);
    if (found === null) return []; // nothing was found
    const parameters = splitParameters(line, found[0].length).flatMap((parameter) => {
      const [, name, form] = /^"?([^:?"]+)"?\??: (.*)$/.exec(parameter) ?? [];
      return name === undefined ? [] : [{ name, form }];
    });
    return found[1].split(" | ").map((name) => ({ name, parameters }));
  });
}

/** Splits the parameters that begin at `start` at commas outside brackets and quotes. */
function splitParameters(line, start) {
  const parts = [""];
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === '"' && line[at - 1] !== "\\") isQuoted = !isQuoted;
    if (!isQuoted && "({[".includes(sign)) depth += 1;
    if (!isQuoted && ")}]".includes(sign)) depth -= 1;
    if (depth < 0) break;
    if (sign === "," && depth === 0 && !isQuoted) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

/** Returns what an error says about a parameter, or an empty text. */
export function readComplaint(text, parameter) {
  return text
    .split(/[;\n]/)
    .filter((part) => part.includes(parameter))
    .join("\n");
}

/**
 * Returns whether a text tells which form a value must have: the value itself for one of several choices, the names of all members for an
 * object, otherwise the type. `tell` is the text that tells it for other values, such as dates.
 */
export function tellsForm(text, { exact, tell }) {
  if (tell !== undefined) return text.includes(tell);
  if (Array.isArray(exact))
    return /\barray\b|\[\]/.test(text) && exact.every((item) => tellsMembers(text, item));
  if (typeof exact === "object") return tellsMembers(text, exact);
  if (typeof exact === "number") return /\b(?:number|integer)\b/.test(text);
  return text.includes(JSON.stringify(exact));
}

/** Returns the arguments for `mcp_search_tools`. Only the first query is used if the tool accepts only one. */
export function searchArguments(searchTool, queries) {
  return queries.length > 1 && takesSeveral(searchTool) ? { queries } : { query: queries[0] };
}

/** Returns whether `mcp_search_tools` accepts several queries. */
export function takesSeveral(searchTool) {
  return searchTool.inputSchema.properties.queries !== undefined;
}

function tellsMembers(text, value) {
  return (
    typeof value !== "object" || Object.keys(value).every((name) => new RegExp(`\\b${name}\\b`).test(text))
  );
}
