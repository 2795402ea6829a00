import { expect, test } from "vitest";
import { createProof, ProofCheck } from "./key-proof.ts";

const KEY = "pb_key";
const HOST = "127.0.0.1:7420";
const check = (now: () => number): ProofCheck => new ProofCheck({ now, after: () => () => {} });

test("a proof is accepted only once, and only for its host, its key and a limited time", () => {
  let now = 1_800_000_000_000;
  const checks = check(() => now);
  const proof = createProof(KEY, HOST, now);
  expect(checks.accepts(proof, "pb_other", HOST)).toBe(false);
  expect(checks.accepts(proof, KEY, "127.0.0.1:7421")).toBe(false);
  expect(checks.accepts(proof, KEY, HOST)).toBe(true);
  expect(checks.accepts(proof, KEY, HOST)).toBe(false);
  expect(checks.accepts(createProof(KEY, HOST, now), KEY, HOST)).toBe(true);
  expect(checks.accepts(createProof(KEY, HOST, now + 31_000), KEY, HOST)).toBe(false);
  const old = createProof(KEY, HOST, now);
  now += 31_000;
  expect(checks.accepts(old, KEY, HOST)).toBe(false);
});

test("changed and malformed proofs are refused", () => {
  const now = 1_800_000_000_000;
  const checks = check(() => now);
  const proof = createProof(KEY, HOST, now);
  for (const wrong of [
    undefined,
    "",
    "Proof",
    `Bearer ${KEY}`,
    proof.slice(0, -1),
    proof.replace("Proof", "proof"),
  ])
    expect(checks.accepts(wrong, KEY, HOST)).toBe(false);
  for (let index = "Proof ".length; index < proof.length; index += 1) {
    const other = proof[index] === "A" ? "B" : "A";
    const changed = `${proof.slice(0, index)}${other}${proof.slice(index + 1)}`;
    expect([index, checks.accepts(changed, KEY, HOST)]).toEqual([index, false]);
  }
  expect(checks.accepts(proof, KEY, HOST)).toBe(true);
});
