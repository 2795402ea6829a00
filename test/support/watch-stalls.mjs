const TICK_MS = 5;

/** Measures how long nothing else could run. CPU time of other programs does not count. */
export function watchStalls() {
  let worst = 0;
  let last = performance.now();
  let used = process.cpuUsage();
  const look = () => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(used);
    worst = Math.max(worst, Math.min(now - last - TICK_MS, (user + system) / 1_000));
    last = now;
    used = process.cpuUsage();
  };
  const timer = setInterval(look, TICK_MS);
  timer.unref();
  return {
    /** Returns the longest stall since the last call. */
    take() {
      look();
      const found = worst;
      worst = 0;
      return found;
    },
  };
}
