import { expect, test } from "vitest";
import { findMarked } from "./marked-processes.ts";

test.skipIf(process.platform !== "linux")(
  "whoever asks right after a look around waits a little, and shares the next with all who ask meanwhile",
  async () => {
    await findMarked("linux");
    const second = findMarked("linux");
    for (let step = 0; step < 10; step += 1) await Promise.resolve();
    const third = findMarked("linux");
    expect(third).toBe(second);
    expect(await third).toBe(await second);
  },
);
