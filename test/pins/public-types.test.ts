import { expectTypeOf, test } from "vitest";
import {
  type HostError,
  type HostErrorCode,
  type HostEvent,
  type Installation,
  isHostError,
  type ServerFacts,
  type ServerState,
  type ServerView,
} from "../../src/index.ts";

/** The compiler checks these tests: `npm run check` fails, not the test run. */
test("a server's state has the same shape in a view and in an event", () => {
  type StateEvent = Extract<HostEvent, { readonly type: "server.state" }>;
  expectTypeOf<StateEvent>().toExtend<ServerState>();
  expectTypeOf<ServerView>().toExtend<ServerState>();
  const titleOf = (state: ServerState): string => state.because ?? state.state;
  expectTypeOf(titleOf).toBeCallableWith({} as StateEvent);
  expectTypeOf(titleOf).toBeCallableWith({} as ServerView);
});

test("isHostError narrows the code", () => {
  const check = (error: unknown, code: HostErrorCode, known: HostError): void => {
    if (isHostError(error)) expectTypeOf(error.code).toEqualTypeOf<HostErrorCode>();
    else expectTypeOf(error).toEqualTypeOf<unknown>();
    if (isHostError(error, "TOOL_UNKNOWN")) expectTypeOf(error.code).toEqualTypeOf<"TOOL_UNKNOWN">();
    if (isHostError(error, code)) expectTypeOf(error.code).toEqualTypeOf<HostErrorCode>();
    if (isHostError(error, "TOOL_UNKNOWN") || isHostError(error, "TOOL_DENIED"))
      expectTypeOf(error.code).toEqualTypeOf<"TOOL_UNKNOWN" | "TOOL_DENIED">();
    if (!isHostError(known, "TOOL_UNKNOWN")) expectTypeOf(known).toEqualTypeOf<HostError>();
    // @ts-expect-error: a code that does not exist
    isHostError(error, "TOOL_MISSING");
  };
  expectTypeOf(check).toBeFunction();
});

test("checking the state narrows its details", () => {
  const check = (view: ServerView, event: HostEvent): void => {
    if (view.state === "failed") expectTypeOf(view.errorCode).toEqualTypeOf<HostErrorCode>();
    if (view.state === "connected") expectTypeOf(view.facts).toEqualTypeOf<ServerFacts>();
    if (event.type !== "server.state") return;
    if (event.state === "reconnecting") expectTypeOf(event.attempt).toEqualTypeOf<number>();
    if (event.state === "installing") expectTypeOf(event.installing).toEqualTypeOf<Installation>();
    if (event.state === "untrusted") expectTypeOf(event.because).toEqualTypeOf<string>();
    expectTypeOf(event.because).toEqualTypeOf<string | undefined>();
  };
  expectTypeOf(check).toBeFunction();
});
