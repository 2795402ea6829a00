import { piFamilyRows } from "./pi-family.ts";
import type { SeedRow } from "./seed-row.ts";

/** Seed 001. The shared text with its own folder; it has no list of source files. */
export const xcsh: readonly SeedRow[] = piFamilyRows({ prefix: "xcsh", folder: ".xcsh" });
