import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "../../src/platform/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";

/** A disk that can be filled up. */
export interface SmallDisk extends Disposable {
  readonly home: string;
  readonly files: Files;
  /** Fills the disk up to about this many free bytes. */
  fill(left: number): void;
  empty(): void;
}

const SIZE = 512 * 1024;
const PAGE = 4096;

/** Returns a separate file system in memory, or `undefined` if mounting is not allowed. */
export function mountSmallDisk(folder: string): SmallDisk | undefined {
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined; // not Linux, or not root
  }
  const filler = join(folder, "filler");
  const home = join(folder, "home");
  mkdirSync(home);
  return {
    home,
    files: nodePorts().files,
    fill(left) {
      const file = openSync(filler, "w");
      let written = 0;
      try {
        for (;;) written += writeSync(file, Buffer.alloc(PAGE, "x"));
      } catch {
        ftruncateSync(file, written - Math.floor(left / PAGE) * PAGE); // it is full
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => void execFileSync("umount", ["--lazy", folder], { stdio: "ignore" }),
  };
}

/** The same with a simulated disk. */
export function pretendSmallDisk(folder: string): SmallDisk {
  mkdirSync(folder);
  const { files } = nodePorts();
  let left = Number.POSITIVE_INFINITY;
  return {
    home: folder,
    files: {
      ...files,
      async create(path, text, mode) {
        left -= text.length;
        if (left >= 0) return files.create(path, text, mode);
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      },
    },
    fill: (bytes) => void (left = bytes),
    empty: () => void (left = Number.POSITIVE_INFINITY),
    [Symbol.dispose]() {},
  };
}
