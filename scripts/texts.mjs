/**
 * `npm run texts -- --sample 100 --seed N`: prints a random sample of all texts that people read in this project, for a
 * reader to mark what they would rewrite. Ten of the texts are known to be bad. A reader who does not mark most of them is not
 * reading closely enough. `--answers` prints the numbers of those ten instead.
 * `--kind comment` prints one kind only, and `--where` adds the file of each text.
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BAD_TEXTS } from "./texts/bad-texts.mjs";
import { collectTexts, KINDS } from "./texts/collect-texts.mjs";
import { createRandom, shuffle } from "./texts/random.mjs";

const CONTROLS = 10;

process.chdir(fileURLToPath(new URL("../", import.meta.url)));
const { values } = parseArgs({
  options: {
    sample: { type: "string", default: "100" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    answers: { type: "boolean", default: false },
    kind: { type: "string" },
    where: { type: "boolean", default: false },
  },
});
const random = createRandom(Number(values.seed));
const kinds = values.kind === undefined ? KINDS : [values.kind];
const texts = collectTexts();
const size = Number(values.sample) - (values.kind === undefined ? CONTROLS : 0);

/** The same number of each kind, if there are enough. */
const chosen = kinds.flatMap((kind, index) => {
  const share = Math.floor(size / kinds.length) + (index < size % kinds.length ? 1 : 0);
  return shuffle(
    texts.filter((text) => text.kind === kind),
    random,
  ).slice(0, share);
});
const controls = values.kind === undefined ? shuffle(BAD_TEXTS, random).slice(0, CONTROLS) : [];
const sample = shuffle([...chosen, ...controls.map((bad) => ({ ...bad, isControl: true }))], random);

if (values.answers) {
  const numbers = sample.flatMap(({ isControl }, index) => (isControl ? [index + 1] : []));
  console.log(`Bad on purpose (seed ${values.seed}): ${numbers.join(", ")}`);
} else {
  console.log(`${sample.length} of ${texts.length} texts, seed ${values.seed}\n`);
  for (const [index, { kind, text, file }] of sample.entries())
    console.log(`${index + 1}. [${kind}] ${text}${values.where && file ? ` (${file})` : ""}`);
}
