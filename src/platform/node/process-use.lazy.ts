import { getHeapStatistics } from "node:v8";
import type { ProcessUse } from "../index.ts";

/** Returns how much this process uses now. */
export function processUse(): ProcessUse {
  const { used_heap_size: heapBytes, heap_size_limit: heapLimitBytes } = getHeapStatistics();
  const { user, system } = process.cpuUsage();
  return {
    heapBytes,
    heapLimitBytes,
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
  };
}
