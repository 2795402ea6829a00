/** Preloaded with `--import`: prints the URL of every module that is resolved afterwards, one per line. */
import { writeSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

if (isMainThread) register(import.meta.url);

/** The hook, which Node runs in a separate thread. */
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  writeSync(1, `${resolved.url}\n`);
  return resolved;
}
