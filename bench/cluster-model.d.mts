/** CPU time of a call, in microseconds: at its session's node, and of passing one on. */
export interface CallCosts {
  readonly own: number;
  readonly hop: number;
}
export interface TeamCosts extends CallCosts {
  readonly idleUsPerSecond: number;
  readonly nodeBytes: number;
  readonly personBytes: number;
  readonly sessionBytes: number;
}
export interface Team {
  readonly people: number;
  readonly sessions: number;
  readonly callsPerPersonAndHour: number;
  readonly busy?: number;
  readonly memoryLimit?: number;
}
export interface TeamSize {
  readonly nodes: number;
  readonly callsPerSecond: number;
  readonly cpuPercent: number;
  readonly bytesPerNode: number;
}
export function forwardedShare(nodes: number): number;
export function fitCosts(measured: readonly { readonly nodes: number; readonly cpuUs: number }[]): CallCosts;
export function predictCpu(costs: CallCosts, nodes: number): number;
export function sizeTeam(costs: TeamCosts, team: Team): TeamSize;
