import { describe, expect, test, vi } from "vitest";
import type * as Module from "./keychain.lazy.ts";

// The suite keeps it out of reach everywhere else; here, on Linux, its bus is one that is not there.
const { nodeKeychain } = await vi.importActual<typeof Module>("./keychain.lazy.ts");

describe.skipIf(process.platform !== "linux")("a keychain on a machine without one", () => {
  test("says no, and does not fall back to one that forgets", async () => {
    await expect(nodeKeychain.write("plugboard test", "text")).rejects.toThrow();
    await expect(nodeKeychain.read("plugboard test")).rejects.toThrow();
    await expect(nodeKeychain.remove("plugboard test")).rejects.toThrow();
  });
});
