import { fileURLToPath } from "node:url";
import { build } from "rolldown";

await build({
  input: fileURLToPath(new URL("own-servers.mjs", import.meta.url)), // your program
  platform: "node",
  external: [/^@opentelemetry\//], // optional: an SDK that your program loads itself
  output: { dir: "bundle", format: "esm" },
});
console.log("Run it with: node bundle/own-servers.js");
