import { omp } from "./omp.ts";
import { opencode } from "./opencode.ts";
import { pisces } from "./pisces.ts";
import type { SeedRow } from "./seed-row.ts";
import { toolloop } from "./toolloop.ts";
import { xcsh } from "./xcsh.ts";

/** Every promise of the five seed documents: the checklist of what Plugboard must provide. */
export const ledger: readonly SeedRow[] = [...omp, ...xcsh, ...pisces, ...toolloop, ...opencode];
