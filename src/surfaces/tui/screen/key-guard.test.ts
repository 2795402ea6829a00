import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createKeyGuard, DRAFT_PAUSE_MS, PAUSE_MS } from "./key-guard.ts";
import type { Panel } from "./view.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const panel = (isUnexpected: boolean): Panel => ({
  isUnexpected,
  view: () => ({ rows: [] }),
  handle: () => true,
});
const guard = (isTyping = false) => {
  const onOpen = vi.fn();
  return { ...createKeyGuard({ isTyping: () => isTyping, onOpen }), onOpen };
};

test("an unexpected question accepts no keys before a pause", () => {
  const { isOpen, onOpen } = guard();
  const question = panel(true);
  expect(isOpen(question)).toBe(false);
  vi.advanceTimersByTime(PAUSE_MS - 1);
  expect(isOpen(question)).toBe(false);
  vi.advanceTimersByTime(1);
  expect([isOpen(question), onOpen.mock.calls.length]).toEqual([true, 1]);
});

test("every key restarts the pause", () => {
  const { isOpen, keyPressed } = guard();
  const question = panel(true);
  isOpen(question);
  for (let key = 0; key < 20; key += 1) {
    vi.advanceTimersByTime(PAUSE_MS - 1);
    expect(isOpen(question)).toBe(false);
    keyPressed();
  }
  vi.advanceTimersByTime(PAUSE_MS);
  expect(isOpen(question)).toBe(true);
});

test("an unexpected question waits longer while a line is half typed", () => {
  const { isOpen, keyPressed } = guard(true);
  const question = panel(true);
  for (const wait of [PAUSE_MS, DRAFT_PAUSE_MS - 1]) {
    expect(isOpen(question)).toBe(false);
    vi.advanceTimersByTime(wait);
    expect(isOpen(question)).toBe(false);
    keyPressed();
  }
  vi.advanceTimersByTime(DRAFT_PAUSE_MS);
  expect(isOpen(question)).toBe(true);
});

test("a question that replaces a withdrawn one waits for its own pause", () => {
  const { isOpen } = guard();
  const first = panel(true);
  isOpen(first);
  vi.advanceTimersByTime(PAUSE_MS);
  expect([isOpen(first), isOpen(panel(true))]).toEqual([true, false]);
});

test("the next step of the user's action accepts keys immediately", () => {
  const { isOpen, keyPressed } = guard();
  keyPressed();
  expect(isOpen(panel(false))).toBe(true);
});

test("a step that appears while the user types waits for a pause", () => {
  const { isOpen, keyPressed } = guard(true);
  expect(isOpen(panel(false))).toBe(true);
  keyPressed();
  const next = panel(false);
  expect(isOpen(next)).toBe(false);
  vi.advanceTimersByTime(PAUSE_MS);
  expect(isOpen(next)).toBe(true);
});

test("a question that accepts keys keeps accepting them", () => {
  const { isOpen, keyPressed } = guard();
  const question = panel(true);
  isOpen(question);
  vi.advanceTimersByTime(PAUSE_MS);
  keyPressed();
  expect(isOpen(question)).toBe(true);
});
