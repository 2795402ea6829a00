import { piFamilyRows } from "./pi-family.ts";
import type { SeedRow } from "./seed-row.ts";

/** Seed 000. Beyond the shared text it only lists its own source files, which promise nothing. */
export const omp: readonly SeedRow[] = piFamilyRows({ prefix: "omp", folder: ".omp" });
