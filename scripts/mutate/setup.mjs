/** All test files of a run share one process here, and each adds its listeners. */
process.setMaxListeners(0);
