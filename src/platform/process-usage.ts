/** What a process and everything that it started use. */
export interface ProcessUsage {
  /** The number of processes. */
  readonly processes: number;
  /** In bytes. Memory that several processes share counts in part if `exact` is set, and otherwise for each of them. */
  readonly memoryBytes: number;
  /** The processor time of the running processes so far, in milliseconds. */
  readonly cpuMs: number;
}
