/**
 * `node bench/search/check-requests.mjs [file]`: checks each request: its form, that its acceptable tools exist, that its class is right,
 * and that a model wrote one to three queries for it. Prints what is wrong and how many requests each class and half has. Exits with 1 if something is wrong.
 *
 * Reword a request that has the wrong class, or change its class. Never remove an acceptable tool for that.
 */
import { readFileSync } from "node:fs";
import { collectTools } from "../collect-tools.mjs";
import { removeScratch } from "../scratch.mjs";
import { classify } from "./request-class.mjs";
import { CLASSES, halfOf, readRequests } from "./request-set.mjs";
import { loadThesaurus } from "./thesaurus.mjs";

const [other] = process.argv.slice(2);
try {
  const requests = readRequests(other === undefined ? undefined : readFileSync(other, "utf8"));
  const { definitions, unavailable } = await collectTools(console.error);
  for (const [server, reason] of unavailable) console.error(`not collected: ${server}: ${reason}`);
  const tools = new Map(definitions.map((tool) => [`${tool.server}/${tool.tool}`, tool]));
  const areSynonyms = await loadThesaurus(console.error);
  const problems = [
    ...repeated(requests).map((text) => `"${text}" occurs more than once`),
    ...requests
      .filter(({ modelQueries }) => modelQueries.length === 0)
      .map(({ text }) => `"${text}" has no model queries`),
    ...requests.flatMap((request) => problemsOf(request, tools, areSynonyms)),
  ];
  for (const problem of problems) console.log(problem);
  printCounts(requests);
  console.log(problems.length === 0 ? "No problems found." : `${problems.length} problems found.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  removeScratch();
}

function repeated(requests) {
  const texts = requests.map(({ text }) => text.trim().toLowerCase());
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
}

function problemsOf({ text, class: declared, acceptable }, tools, areSynonyms) {
  const missing = acceptable.filter((id) => !tools.has(id));
  if (missing.length > 0) return [`"${text}": unknown tool ${missing.join(", ")}`];
  const { class: actual, because } = classify(
    text,
    acceptable.map((id) => tools.get(id)),
    areSynonyms,
  );
  return actual === declared
    ? []
    : [`"${text}": declared as ${declared}, but is ${actual ?? "in no class"}: ${because}`];
}

function printCounts(requests) {
  for (const kind of CLASSES) {
    const mine = requests.filter((request) => request.class === kind);
    const open = mine.filter((request) => halfOf(request) === "open").length;
    const withQueries = mine.filter(({ modelQueries }) => modelQueries.length > 0).length;
    console.log(
      `${kind}: ${mine.length} requests, ${open} open, ${mine.length - open} held back; ${withQueries} with model queries`,
    );
  }
}
