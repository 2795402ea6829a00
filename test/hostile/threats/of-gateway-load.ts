import type { Threat } from "./threat.ts";

/** How a client, or a server, may try to use up the gateway or to get what belongs to another one. */
export const ofGatewayLoad: readonly Threat[] = [
  {
    id: "P150",
    threat: "A client sends slowly, or does not read what it asked for, until the gateway has no memory left",
    defence:
      "Messages of more than 64 KB share a limited room, of which one person gets at most half. A client that reads nothing of a response for 30 s is disconnected, and the oldest responses end if clients leave too much unread.",
    shownBy: [
      {
        attack: "long messages that are never complete",
        file: "test/hostile/gateway-requests.test.ts",
        test: "long messages that a client sends slowly take a limited amount of memory",
      },
      {
        attack: "one person takes the room of all",
        file: "src/serving/client/body-budget.test.ts",
        test: "long bodies of one person, and of all people, use a limited amount of memory until they are released",
      },
      {
        attack: "responses that nobody reads",
        file: "src/platform/node/unsent-responses.test.ts",
        test: "a client that reads nothing of a response is disconnected, and one that reads slowly is not",
      },
      {
        attack: "responses that are read byte by byte",
        file: "src/platform/node/unsent-responses.test.ts",
        test: "if clients leave too much unread, the oldest responses end first",
      },
    ],
  },
  {
    id: "P151",
    threat: "A client follows so many addresses that every other client waits",
    defence:
      "A stream's addresses are looked up a few at a time, and the templates of a server are prepared once.",
    shownBy: [
      {
        attack: "a thousand addresses and thousands of templates",
        file: "test/hostile/gateway-resources.test.ts",
        test: "a stream for very many addresses does not block the gateway",
      },
    ],
  },
  {
    id: "P152",
    threat: "A server takes over another server's address while the user answers that server's question",
    defence: "A retry continues only with the server that asked.",
    shownBy: [
      {
        attack: "the address is listed before the answer arrives",
        file: "test/hostile/gateway-resources.test.ts",
        test: "an answer for one server never goes to another one that lists the same address later",
      },
    ],
  },
];
