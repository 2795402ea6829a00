/** How much this process uses. */
export interface ProcessUse {
  readonly heapBytes: number;
  /** The most that the heap can have. */
  readonly heapLimitBytes: number;
  readonly residentBytes: number;
  /** User and system time since the process started, in seconds. */
  readonly cpuSeconds: number;
}
