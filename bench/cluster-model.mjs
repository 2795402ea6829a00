/**
 * The costs of a cluster, from what was measured with a few nodes, and what a team needs. Independent of how they were measured. Times are
 * microseconds of CPU, memory is bytes.
 *
 * A request of a legacy session that arrives at another node than its own is passed on. With a balancer that sends each request to any of n
 * nodes, that happens to (n - 1) of n requests.
 */

/** Returns the share of requests that a balancer in round robin sends to another node than the session's. */
export function forwardedShare(nodes) {
  return (nodes - 1) / nodes;
}

/**
 * Returns the costs that fit the measured CPU times of calls best (least squares): `own` of a call at the session's node, and `hop` that
 * passing one on adds. `measured` has `{ nodes, cpuUs }` of at least two different numbers of nodes.
 */
export function fitCosts(measured) {
  const points = measured.map(({ nodes, cpuUs }) => [forwardedShare(nodes), cpuUs]);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([share]) => share)), mean(points.map(([, cpuUs]) => cpuUs))];
  const spread = points.reduce((sum, [share]) => sum + (share - x) ** 2, 0);
  if (spread === 0) throw new Error("Two different numbers of nodes are needed.");
  const hop = points.reduce((sum, [share, cpuUs]) => sum + (share - x) * (cpuUs - y), 0) / spread;
  return { own: y - hop * x, hop };
}

/** Returns the predicted CPU time of a call with this number of nodes. */
export function predictCpu({ own, hop }, nodes) {
  return own + hop * forwardedShare(nodes);
}

/**
 * Returns the smallest number of nodes that a team needs. Each node may use `busy` of one core and `memoryLimit` bytes, and one node may be
 * missing.
 */
export function sizeTeam(
  { own, hop, idleUsPerSecond, nodeBytes, personBytes, sessionBytes },
  { people, sessions, callsPerPersonAndHour, busy = 0.6, memoryLimit = 4 * 2 ** 30 },
) {
  const callsPerSecond = (people * callsPerPersonAndHour) / 3_600;
  for (let nodes = 1; ; nodes++) {
    const cpu = callsPerSecond * (own + hop * forwardedShare(nodes)) + nodes * idleUsPerSecond;
    const memory = people * personBytes * Math.min(nodes, 2) + sessions * sessionBytes + nodes * nodeBytes;
    const [cores, bytes] = [cpu / 1e6 / nodes / busy, memory / nodes];
    if (cores <= 1 && bytes <= memoryLimit)
      return { nodes: nodes + 1, callsPerSecond, cpuPercent: cpu / 1e4 / nodes, bytesPerNode: bytes };
    if (cpu / nodes - idleUsPerSecond < 1) throw new Error("No number of nodes is enough.");
  }
}
