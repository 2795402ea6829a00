import { describe, expect, test } from "vitest";
import { nodeKeychain } from "./keychain.ts";

const hasBus = Boolean(process.env["DBUS_SESSION_BUS_ADDRESS"] ?? process.env["XDG_RUNTIME_DIR"]);

describe.skipIf(process.platform !== "linux" || hasBus)("a keychain on a machine without one", () => {
  test("says no, and does not fall back to one that forgets", async () => {
    await expect(nodeKeychain.write("plugboard test", "text")).rejects.toThrow();
    await expect(nodeKeychain.read("plugboard test")).rejects.toThrow();
  });
});
