import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  advance,
  beginWizard,
  type Draft,
  type Trial,
  type WizardEvent,
  type WizardState,
} from "./wizard-state.ts";

const WORKS: Trial = { kind: "works", server: "x", tools: [] };
const answers = (...drafts: readonly Partial<Draft>[]): WizardEvent[] =>
  drafts.map((draft) => ({ kind: "answer", draft }));
const run = (events: readonly WizardEvent[]): WizardState => events.reduce(advance, beginWizard());

describe("the wizard", () => {
  test("goes from the name through a successful test to the scope, the summary and the end", () => {
    const begun = run(answers({ name: "a" }, { transport: "stdio" }, { command: "x" }));
    expect(begun.step).toBe("test");
    const tried = advance(begun, { kind: "tried", trial: WORKS });
    expect(tried.step).toBe("scope");
    expect(answers({ scope: "user" }, {}).reduce(advance, tried)).toMatchObject({
      step: "done",
      draft: { name: "a", command: "x", scope: "user" },
    });
  });

  test("asks for access after a failed test, and tests again with a key", () => {
    const begun = run(answers({ name: "a" }, { transport: "http" }, { url: "x" }));
    const tried = advance(begun, { kind: "tried", trial: { kind: "signIn", message: "no" } });
    expect(tried.step).toBe("access");
    expect(answers({ access: "signIn" }).reduce(advance, tried).step).toBe("scope");
    const keyed = answers({ access: "key" }, { keyName: "K" }, { keySource: "vault" }, { key: "s" }).reduce(
      advance,
      tried,
    );
    expect(keyed).toMatchObject({ step: "test" });
    expect(keyed.trial).toBeUndefined();
  });

  test("goes back past a test, and drops its result when the draft changes", () => {
    const tried = advance(run(answers({ name: "a" }, { transport: "stdio" }, { command: "x" })), {
      kind: "tried",
      trial: WORKS,
    });
    const back = advance(tried, { kind: "back" });
    expect(back).toMatchObject({ step: "command", trial: WORKS, draft: { command: "x" } });
    expect(answers({ command: "x" }).reduce(advance, back).trial).toEqual(WORKS);
    expect(answers({ command: "y" }).reduce(advance, back).trial).toBeUndefined();
  });

  test("tests again after a failed test, but not after a successful one", () => {
    const begun = run(answers({ name: "a" }, { transport: "stdio" }, { command: "x" }));
    const failed = advance(begun, { kind: "tried", trial: { kind: "cancelled", message: "no" } });
    for (const again of [
      advance(failed, { kind: "jump", to: "test" }),
      answers({ command: "x" }).reduce(advance, advance(failed, { kind: "jump", to: "command" })),
    ]) {
      expect(again.step).toBe("test");
      expect(again.trial).toBeUndefined();
    }
    expect(advance(failed, { kind: "jump", to: "command" }).trial).toBeDefined();
    const works = advance(begun, { kind: "tried", trial: WORKS });
    expect(advance(works, { kind: "jump", to: "test" }).trial).toEqual(WORKS);
  });

  test("after any sequence of events, no input is lost and only the summary leads to the end", () => {
    const text = fc.string({ minLength: 1 });
    const field = fc.oneof(
      ...(["name", "command", "url", "keyName", "key", "variable"] as const).map((name) =>
        text.map((value) => ({ [name]: value })),
      ),
      fc.constantFrom("stdio", "http", "sse").map((transport) => ({ transport })),
      fc.constantFrom("none", "signIn", "key").map((access) => ({ access })),
      fc.constantFrom("vault", "variable").map((keySource) => ({ keySource })),
      fc.constantFrom("project", "user").map((scope) => ({ scope })),
    ) as fc.Arbitrary<Partial<Draft>>;
    const event: fc.Arbitrary<WizardEvent> = fc.oneof(
      { weight: 6, arbitrary: field.map((draft) => ({ kind: "answer" as const, draft })) },
      { weight: 3, arbitrary: fc.constant({ kind: "back" as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: "cancel" as const }) },
      { weight: 2, arbitrary: fc.constant({ kind: "tried" as const, trial: WORKS }) },
      { weight: 1, arbitrary: fc.constant({ kind: "jump" as const, to: "test" as const }) },
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = beginWizard();
        let typed: Partial<Draft> = {};
        for (const one of events) {
          const before = state;
          state = advance(before, one);
          if (before.step === "done" || before.step === "left") expect(state).toBe(before);
          else if (one.kind === "answer") typed = { ...typed, ...one.draft };
          if (state.step === "done" && before.step !== "done") expect(before.step).toBe("summary");
          expect(state.draft).toMatchObject(typed);
          expect(state.trail).not.toContain("test");
        }
      }),
    );
  });
});
