#!/usr/bin/env node
import { VERSION } from "../../version.ts";

const [first] = process.argv.slice(2);
if (first === "--version" || first === "-v") {
  process.stdout.write(`${VERSION}\n`);
} else {
  const { runProcess } = await import("./run-process.ts");
  await runProcess();
}
