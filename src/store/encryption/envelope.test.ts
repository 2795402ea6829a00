import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createEnvelope, type Ring, type RingKey } from "./envelope.ts";

const CONTEXT = ["credentials", "ada", "sign-in", "https://mcp.example", "generation 1"];
const SECRET = Buffer.from("a refresh token");

function createRing(...keys: RingKey[]): Ring & { add(key: RingKey): void } {
  return {
    add: (key) => void keys.unshift(key),
    current: () => keys[0] as RingKey,
    find: (id) => keys.find((key) => key.id === id),
  };
}

const newKey = (id: string): RingKey => ({ id, secret: randomBytes(32) });

test("a value is read by another process with the same keys, and two equal values look different", () => {
  const ring = createRing(newKey("one"));
  const [first, second] = [createEnvelope(ring), createEnvelope(ring)];
  const sealed = [first.seal(CONTEXT, SECRET), first.seal(CONTEXT, SECRET)];
  for (const value of sealed) expect(second.unseal(CONTEXT, value)).toEqual(SECRET);
  expect(sealed[0]?.sealed).not.toEqual(sealed[1]?.sealed);
  expect(Buffer.concat(sealed.flatMap(({ sealed: data, dataKey }) => [data, dataKey])).includes(SECRET)).toBe(
    false,
  );
});

test("a value with any byte changed, removed or added is refused", () => {
  const envelope = createEnvelope(createRing(newKey("one")));
  const value = envelope.seal(CONTEXT, SECRET);
  const refused = { code: "STATE_UNREADABLE" };
  let attempts = 0;
  for (const part of ["sealed", "dataKey"] as const) {
    const bytes = Buffer.from(value[part]);
    const places = Array.from(bytes.keys());
    const flip = (at: number, bits: number): Buffer =>
      Buffer.from(bytes).fill((bytes[at] ?? 0) ^ bits, at, at + 1);
    const damaged = [
      ...places.flatMap((at) => [0x01, 0x80, 0xff].map((bits) => flip(at, bits))),
      ...places.map((length) => bytes.subarray(0, length)),
      Buffer.concat([bytes, Buffer.of(0)]),
    ];
    for (const changed of damaged) {
      attempts += 1;
      expect(() => envelope.unseal(CONTEXT, { ...value, [part]: changed })).toThrow(
        expect.objectContaining(refused),
      );
    }
  }
  expect(attempts).toBeGreaterThan(400);
});

test("a value that was copied to another entry is refused", () => {
  const ring = createRing(newKey("one"), newKey("two"));
  const envelope = createEnvelope(ring);
  const value = envelope.seal(CONTEXT, SECRET);
  for (const index of CONTEXT.keys()) {
    const other = CONTEXT.with(index, "other");
    expect(() => envelope.unseal(other, value)).toThrow("cannot be decrypted");
    // Neither the value nor its key can be taken from another row.
    const foreign = envelope.seal(other, SECRET);
    expect(() => envelope.unseal(CONTEXT, { ...value, sealed: foreign.sealed })).toThrow(
      "cannot be decrypted",
    );
    expect(() => envelope.unseal(CONTEXT, { ...value, dataKey: foreign.dataKey })).toThrow(
      "cannot be decrypted",
    );
  }
  expect(() => envelope.unseal([...CONTEXT.slice(0, -2), CONTEXT.slice(-2).join(",")], value)).toThrow(
    "cannot be decrypted",
  );
  expect(() => envelope.unseal(CONTEXT, { ...value, keyId: "two" })).toThrow("cannot be decrypted");
  expect(() => envelope.unseal(CONTEXT, { ...value, keyId: "three" })).toThrow(
    "Its key three is not in the key ring",
  );
});

test("changing the key re-encrypts the value's own key only", () => {
  const ring = createRing(newKey("one"));
  const envelope = createEnvelope(ring);
  const value = envelope.seal(CONTEXT, SECRET);
  ring.add(newKey("two"));
  const changed = { ...value, ...envelope.rewrap(CONTEXT, value) };
  expect(changed.keyId).toBe("two");
  expect(changed.sealed).toBe(value.sealed);
  expect(envelope.unseal(CONTEXT, changed)).toEqual(SECRET);
  expect(() => createEnvelope(createRing(newKey("two"))).unseal(CONTEXT, changed)).toThrow(
    "cannot be decrypted",
  );
});
