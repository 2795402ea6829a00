import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";

const REQUEST = { text: "delete a folder", class: "words", acceptable: ["files/delete_folder"] };
let repository: string;

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "prove-order-"));
  for (const file of ["bench/search/prove-order.mjs", "bench/search/request-set.mjs"])
    cpSync(file, join(repository, file), { recursive: true });
  git("init", "--quiet");
  commit("src/bridge/search/ranking.ts", "1");
});

test("the order is right if the requests were committed before the ranking changed", () => {
  commit("bench/search/requests.jsonl", JSON.stringify(REQUEST));
  commit("src/bridge/search/ranking.ts", "2");
  commit("bench/search/requests.jsonl", JSON.stringify({ ...REQUEST, modelQueries: ["delete folder"] }));
  expect(prove()).toMatchObject({ status: 0 });
  expect(prove().stdout).toContain("1 requests, 1 later commits that change the ranking");
});

test("changed tests do not count as a changed ranking", () => {
  commit("src/bridge/search/ranking.test.ts", "2");
  commit("bench/search/requests.jsonl", JSON.stringify(REQUEST));
  expect(prove()).toMatchObject({ status: 0 });
});

test.each([
  ["added", [JSON.stringify(REQUEST), JSON.stringify({ ...REQUEST, text: "another" })].join("\n")],
  ["relabelled", JSON.stringify({ ...REQUEST, acceptable: ["files/remove"] })],
  ["removed", ""],
])("the order is wrong if a request was %s after the ranking changed", (_, later) => {
  commit("bench/search/requests.jsonl", JSON.stringify(REQUEST));
  commit("src/bridge/search/ranking.ts", "2");
  commit("bench/search/requests.jsonl", later);
  expect(prove()).toMatchObject({ status: 1 });
});

function commit(file: string, text: string): void {
  mkdirSync(join(repository, file, ".."), { recursive: true });
  writeFileSync(join(repository, file), text);
  git("add", ".");
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
  git(...author, "commit", "--quiet", "--message", file);
}

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: repository });
}

function prove(): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(process.execPath, ["bench/search/prove-order.mjs"], { cwd: repository, encoding: "utf8" });
}
