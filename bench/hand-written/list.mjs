/** The minimum for `list`: reads the given config files and prints the server names. */
import { readFileSync } from "node:fs";

const names = process.argv
  .slice(2)
  .flatMap((file) => Object.keys(JSON.parse(readFileSync(file, "utf8")).mcpServers));
process.stdout.write(`${names.join("\n")}\n`);
