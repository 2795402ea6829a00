import type pg from "pg";

/**
 * Loads the database's driver. This is a file of its own, because code that every command loads cannot import a package in the built
 * program, and the build may put other code into the files that use the driver.
 */
export async function loadDriver(): Promise<typeof pg> {
  return (await import("pg")).default;
}
