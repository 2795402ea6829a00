/** The minimum for cached `tools`: parses every file in the given folder and prints the names. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
const names = readdirSync(folder).flatMap((file) => {
  const [head, tools] = readFileSync(join(folder, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return head.version > 0 ? tools.map(({ name }) => name) : [];
});
process.stdout.write(`${names.join("\n")}\n`);
