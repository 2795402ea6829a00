#!/usr/bin/env node
import { VERSION } from "../../version.ts";

const [first, ...others] = process.argv.slice(2);
if ((first === "--version" || first === "-v") && others.length === 0) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const { runProcess } = await import("./run-process.ts");
  await runProcess();
}
