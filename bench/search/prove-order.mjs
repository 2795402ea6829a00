/**
 * `node bench/search/prove-order.mjs`: proves from the Git history that the requests were committed before the ranking was changed. At the
 * parent of every commit that changes the ranking, `requests.jsonl` must contain exactly today's requests. Their model queries may be
 * added later. Exits with 1 if a commit violates this.
 *
 * Commits before the one that added this file do not count: they made the ranking that the requests were written for.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readRequests } from "./request-set.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const REQUESTS = "bench/search/requests.jsonl";
/** Everything that decides which tools are found and in which order, without its tests. */
const RANKING = ["src/bridge/search", ":(exclude)src/bridge/search/*.test.ts"];

const start = git("log", "--diff-filter=A", "--format=%H", "--", "bench/search/prove-order.mjs").trim();
if (start === "") fail("The commit that added this script is not in the history. Is the clone shallow?");
const changes = lines(git("rev-list", "--reverse", `${start.split("\n").at(-1)}..HEAD`, "--", ...RANKING));
const now = identities(git("show", `HEAD:${REQUESTS}`));
const violations = changes.flatMap((commit) => {
  const before = identities(showOrEmpty(`${commit}^:${REQUESTS}`));
  const added = [...now].filter((request) => !before.has(request)).length;
  const removed = [...before].filter((request) => !now.has(request)).length;
  return added + removed === 0
    ? []
    : [`${titleOf(commit)}: ${added} requests were added or changed after it, ${removed} were removed`];
});
console.log(`${now.size} requests, ${changes.length} later commits that change the ranking.`);
if (changes.length > 0) console.log(`The first is ${titleOf(changes[0])}`);
if (violations.length > 0) fail(violations.join("\n"));
console.log("All requests were committed before the first of them and have not changed since.");

function identities(text) {
  return new Set(
    readRequests(text).map(({ text: request, class: kind, acceptable }) =>
      JSON.stringify([request, kind, [...acceptable].sort()]),
    ),
  );
}

function titleOf(commit) {
  return git("log", "-1", "--format=%h %cI %s", commit).trim();
}

function showOrEmpty(object) {
  try {
    return git("show", object);
  } catch {
    return ""; // the file did not exist yet
  }
}

function lines(text) {
  return text.split("\n").filter((line) => line !== "");
}

function git(...args) {
  return execFileSync("git", args, { cwd: repository, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
