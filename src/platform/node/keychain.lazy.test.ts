import { describe, expect, test, vi } from "vitest";
import type * as Module from "./keychain.lazy.ts";

// The other tests cannot reach a keychain. Here, on Linux, the address of its bus does not exist.
const { nodeKeychain } = await vi.importActual<typeof Module>("./keychain.lazy.ts");

describe.skipIf(process.platform !== "linux")("a machine without a keychain", () => {
  test("rejects, and does not fall back to the kernel keyring", async () => {
    await expect(nodeKeychain.write("plugboard test", "text")).rejects.toThrow();
    await expect(nodeKeychain.read("plugboard test")).rejects.toThrow();
    await expect(nodeKeychain.remove("plugboard test")).rejects.toThrow();
  });
});
