import * as fc from "fast-check";

/** All test files of a run share one process here, and each adds listeners. */
process.setMaxListeners(0);
/** Property tests use the same values for every mutant, so that the same sample gives the same score. */
fc.configureGlobal({ seed: Number(process.env.MUTATE_SEED) });
