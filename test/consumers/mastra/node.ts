import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const packages = resolve("test/consumers/mastra/node_modules");
const program = process.platform === "win32" ? "node.exe" : "node";

/** The Node that Mastra needs. npm installs the package for this platform, if there is one. */
export const mastraNode: string | undefined = (existsSync(packages) ? readdirSync(packages) : [])
  .filter((name) => name.startsWith("node-"))
  .map((name) => join(packages, name, "bin", program))
  .find((path) => existsSync(path));
