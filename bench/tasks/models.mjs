/**
 * Two scripted models. They see definitions and answers only, and know nothing about the search.
 *
 * Both know from the task what each step is about, and make one call per turn. If a tool is offered directly, both recognize it and read its
 * definition, so they call it correctly. This favours direct mode: a real model chooses worse among a thousand definitions.
 *
 * Careful:
 * 1. Remembers tools from earlier answers of the same task.
 * 2. Otherwise searches with its own queries: all at once if the search tool accepts several, else one after the other; at last with the user's words.
 * 3. Recognizes the right tool wherever it is in an answer, and ignores others.
 * 4. Describes the tool unless the answer says the form of every argument that it wants to pass. Never guesses.
 * 5. Gives up if no search finds the tool, or if the call fails.
 *
 * Careless:
 * 1. Searches once per step: with its queries if the search tool accepts several, else with the first one only.
 * 2. Calls the first result, whatever it is. If that fails, it calls the second, and then gives up.
 * 3. Never describes a tool. It passes what it knows to the parameters that the answer names, in the right form if the answer says which,
 *    otherwise in the user's words.
 * 4. After an error that says the right form of an argument, it calls the same tool once more.
 * 5. Takes every result without an error for a success. Gives up when a later step needs a value that the result does not have.
 */
import { readComplaint, readHits, searchArguments, takesSeveral, tellsForm } from "../meta-answers.mjs";
import { Stuck } from "./conversation.mjs";

/** Each model performs one step: `(step, talk, memory) → text of the result`. Throws `Stuck`. */
export const models = { careful, careless };

const [SEARCH, DESCRIBE, CALL] = ["mcp_search_tools", "mcp_describe_tool", "mcp_call_tool"];

/** `memory`: `{ names, seen, described }`: the agent's name of each tool, and the tools that were found and described. */
async function careful({ tool: id, say, queries, facts = {} }, talk, memory) {
  const name = memory.names.get(id);
  const args = exactForms(facts);
  if (talk.tool(name) !== undefined) return succeed(await talk.use(name, args));
  const hit = memory.seen.get(name) ?? (await searchFor(name, [...queries, say], talk, memory));
  const isClear = Object.entries(facts).every(([parameter, fact]) => isTold(hit, parameter, fact));
  if (!isClear && !memory.described.has(name)) {
    succeed(await talk.use(DESCRIBE, { name }));
    memory.described.add(name);
  }
  return succeed(await talk.use(CALL, { name, arguments: args }));
}

async function searchFor(name, queries, talk, memory) {
  const search = talk.tool(SEARCH);
  const say = queries.at(-1);
  const attempts = takesSeveral(search) ? [queries.slice(0, -1), [say]] : queries.map((query) => [query]);
  for (const attempt of attempts) {
    const hits = readHits(succeed(await talk.use(SEARCH, searchArguments(search, attempt))));
    for (const hit of hits) memory.seen.set(hit.name, hit);
    if (memory.seen.has(name)) return memory.seen.get(name);
  }
  throw new Stuck(`${name} was not found`);
}

async function careless({ tool: id, queries, facts = {} }, talk, memory) {
  const name = memory.names.get(id);
  if (talk.tool(name) !== undefined) return succeed(await talk.use(name, exactForms(facts)));
  const hits = readHits(succeed(await talk.use(SEARCH, searchArguments(talk.tool(SEARCH), queries))));
  const failures = [];
  for (const hit of hits.slice(0, 2)) {
    const { text, isError } = await callByGuess(hit, facts, talk);
    if (!isError) return text;
    failures.push(text);
  }
  throw new Stuck(failures.join(" ") || "nothing was found");
}

async function callByGuess(hit, facts, talk) {
  const known = hit.parameters.filter((parameter) => Object.hasOwn(facts, parameter.name));
  const guess = (isClear) =>
    Object.fromEntries(
      known.map(({ name }) => [name, isClear(name) ? exactOf(facts[name]) : plainOf(facts[name])]),
    );
  const isInHit = (name) => isTold(hit, name, facts[name]);
  const first = guess(isInHit);
  const answer = await talk.use(CALL, { name: hit.name, arguments: first });
  if (!answer.isError) return answer;
  const second = guess((name) => isInHit(name) || tells(readComplaint(answer.text, name), facts[name]));
  return JSON.stringify(second) === JSON.stringify(first)
    ? answer
    : talk.use(CALL, { name: hit.name, arguments: second });
}

/** Returns whether a search result says the form of an argument. */
function isTold({ parameters }, name, fact) {
  const form = parameters.find((parameter) => parameter.name === name)?.form ?? "";
  return form !== "" && tells(form, fact);
}

function tells(text, fact) {
  return !hasForms(fact) || tellsForm(text, fact);
}

function exactForms(facts) {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, exactOf(fact)]));
}

function exactOf(fact) {
  return hasForms(fact) ? fact.exact : fact;
}

function plainOf(fact) {
  return hasForms(fact) ? fact.plain : fact;
}

function hasForms(fact) {
  return typeof fact === "object" && "exact" in fact;
}

function succeed({ text, isError }) {
  if (isError) throw new Stuck(text);
  return text;
}
