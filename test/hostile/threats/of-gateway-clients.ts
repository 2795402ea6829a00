import type { Threat } from "./threat.ts";

/** What a client of the gateway may try, and a server with the gateway's clients. */
export const ofGatewayClients: readonly Threat[] = [
  {
    id: "P50",
    threat: "A message that cannot be converted to JSON ends the connection that other clients share",
    defence:
      "The gateway refuses messages with more than 256 levels. A message that cannot be converted to JSON fails alone, before anything is sent.",
    shownBy: [
      {
        attack: "deeply nested arguments during another client's call",
        file: "test/gateway/calls.test.ts",
        test: "is refused by the gateway, and other clients' calls go on",
        failsBefore: "e9fb46e",
      },
      {
        attack: "a deeply nested answer to a question",
        file: "test/gateway/calls.test.ts",
        test: "a client's answer that is nested too deeply fails only the question",
      },
      {
        attack: "deep or circular values of a program, over every transport",
        file: "test/flow/unsendable-values.test.ts",
        test: "values for %s that cannot be converted to JSON fail the call and not the connection",
        failsBefore: "e9fb46e",
      },
    ],
  },
];
