/** Measures how long nothing else could run. CPU time of other programs does not count. */
export function watchStalls(): {
  /** Returns the longest stall since the last call. */
  take(): number;
};
