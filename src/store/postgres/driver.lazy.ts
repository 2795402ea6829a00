import { createRequire } from "node:module";

/** The built program runs compiled code, in which `import()` of a package fails. */
const load = createRequire(import.meta.url);

/** Loads the database's driver. The build may put other code into the files that use it, which must load without the driver. */
export function loadDriver(): typeof import("pg") {
  return load("pg") as typeof import("pg");
}
