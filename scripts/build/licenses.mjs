/** Collects the licence texts and notices of every bundled package. */
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/** Packages without a licence text, and a package of the same repository that has it. */
const LICENSED_WITH = { "@ai-sdk/provider-utils": "ai" };

/** Files that a package copied from another project, whose notices are not in the bundled code. */
const COPIED_FILES = { "@ai-sdk/provider-utils": ["src/secure-json-parse.ts"] };

const LICENSE_FILE = /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i;
const NOTICE_FILE = /^(?:notice|third-?party-?\w*)(?:\.(?:md|txt))?$/i;
const LEGAL_COMMENT = /copyright \(c\)|copyright \d{4}|licensed under/i;
const RULE = "-".repeat(72);

export function licensesOf(chunks, root) {
  const packages = bundledPackages(chunks);
  const texts = [...packages]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, { folder, modules }]) => describe(name, folder, modules, root));
  const apache = readFileSync(new URL("apache-2.0.txt", import.meta.url), "utf8");
  const intro = `Plugboard's files contain code of these packages: ${[...packages.keys()].sort().join(", ")}.
The full text of the Apache License 2.0, which some of them refer to, is at the end.`;
  return [intro, ...texts, `Apache License 2.0\n\n${apache.trimEnd()}`].join(`\n\n${RULE}\n\n`).concat("\n");
}

function bundledPackages(chunks) {
  const packages = new Map();
  for (const module of chunks.flatMap(({ moduleIds = [] }) => moduleIds)) {
    const inside = module.split(`${sep}node_modules${sep}`).at(-1);
    if (inside === undefined || inside === module) continue;
    const parts = inside.split(sep);
    const name = parts.slice(0, parts[0].startsWith("@") ? 2 : 1).join("/");
    const folder = join(module.slice(0, -inside.length), name);
    const known = packages.get(name) ?? { folder, modules: new Set() };
    packages.set(name, known);
    known.modules.add(module);
  }
  return packages;
}

function describe(name, folder, modules, root) {
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const from = LICENSED_WITH[name] === undefined ? folder : join(root, "node_modules", LICENSED_WITH[name]);
  const text = filesLike(from, LICENSE_FILE)[0];
  if (text === undefined) throw new Error(`${name} is bundled but has no licence text in ${folder}`);
  const notices = [
    ...filesLike(folder, NOTICE_FILE),
    ...legalComments([...modules, ...(COPIED_FILES[name] ?? []).map((file) => join(folder, file))]).filter(
      (comment) => !plain(text).includes(plain(comment)),
    ),
  ];
  return [`${name} ${version} (${license})`, text, ...notices].join("\n\n");
}

function filesLike(folder, pattern) {
  return readdirSync(folder)
    .filter((file) => pattern.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
}

/** Minifying removes comments, so those about licences are collected here. */
function legalComments(modules) {
  const comments = modules.flatMap(
    (module) =>
      readFileSync(module, "utf8").match(/\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm) ?? [],
  );
  return [...new Set(comments.filter((comment) => LEGAL_COMMENT.test(comment)).map(withoutMarks))];
}

function withoutMarks(comment) {
  return comment
    .replace(/^\/\*+!?|\*+\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^[ \t]*(?:\/\/|\*)?[ \t]?/, "").trimEnd())
    .join("\n")
    .trim();
}

function plain(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, " ");
}
