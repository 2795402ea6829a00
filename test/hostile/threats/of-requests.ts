import type { Threat } from "./threat.ts";

/** What a server may try with its own requests. */
export const ofRequests: readonly Threat[] = [
  {
    id: "S34",
    threat: "A server asks endless questions, or asks in another server's name",
    defence:
      "Questions are answered only if there is a handler, at most 60 a minute and 8 at a time, and they show the server's name from your config.",
    shownBy: [
      {
        attack: "a server that asks endless questions",
        file: "test/flow/questions.test.ts",
        test: "is refused if there are too many, even if earlier ones were answered",
      },
      {
        attack: "a server that asks without a handler",
        file: "test/flow/questions.test.ts",
        test: "receives only the capabilities that have handlers",
      },
      {
        attack: "a server that asks in another server's name",
        file: "test/flow/questions.test.ts",
        test: "that asks the user gets the answer with its defaults, and is shown under its configured name",
      },
    ],
  },
  {
    id: "P14",
    threat: "A server floods the host with pings, requests or notifications",
    defence:
      "At most 100 requests of a batch are read, 120 pings a minute answered, 60 questions a minute refused and 8 replies sent at a time, each until its response has ended. Messages are handled in slices, and the sender is paused meanwhile. The work per key press in a form or a list, and the measured length of a text, are limited.",
    shownBy: [
      {
        attack: "replies that the server never accepts",
        file: "test/flow/floods.test.ts",
        test: "in a stream uses at most 8 connections for replies that the server does not accept",
        failsBefore: "505e8c0",
      },
      {
        attack: "a batch of requests",
        file: "test/flow/floods.test.ts",
        test: "in one batch gets at most a hundred replies",
        failsBefore: "505e8c0",
      },
      {
        attack: "pings without end",
        file: "src/connection/wire/peer.test.ts",
        test: "gets 120 ping responses per minute; the rest are dropped",
        failsBefore: "505e8c0",
      },
      {
        attack: "a server that reads no replies",
        file: "src/connection/wire/peer.test.ts",
        test: "of the kind %s makes no replies pile up if it takes none",
        failsBefore: "505e8c0",
      },
      {
        attack: "replies whose responses never end",
        file: "test/flow/floods.test.ts",
        test: "over %s uses at most 8 connections for replies, even if the server never ends its responses to them",
        failsBefore: "9d25cc3",
      },
      {
        attack: "responses that are not needed",
        file: "src/connection/http/unused-bodies.test.ts",
        test: "a body that does not end within a second is cancelled",
      },
      {
        attack: "questions beyond the limit",
        file: "src/connection/wire/peer.test.ts",
        test: "is refused at most 60 times a minute; more are dropped",
        failsBefore: "9d25cc3",
      },
      {
        attack: "error output that is slow to read",
        file: "src/connection/install/install-output.test.ts",
        test: "long lines take no more time than short ones: %s",
      },
      {
        attack: "a form whose default is slow to edit",
        file: "src/surfaces/tui/screen/editor.test.ts",
        test: "many blanks on a single line are kept in linear time",
        failsBefore: "74e4486",
      },
      {
        attack: "a form whose default is slow to draw",
        file: "src/connection/wire/form.test.ts",
        test: "a default that is too long to review is refused",
        failsBefore: "74e4486",
      },
      {
        attack: "templates that are slow to complete",
        file: "src/surfaces/tui/insert/uri-template.test.ts",
        test: "a template with many %j is split in linear time",
        failsBefore: "74e4486",
      },
      {
        attack: "very many templates",
        file: "test/chat/insert.test.ts",
        test: "a key sends at most 50 requests, however many templates a server lists",
        failsBefore: "74e4486",
      },
      {
        attack: "a result of a megabyte that is slow to measure",
        file: "src/surfaces/tui/screen/wrap.test.ts",
        test: "printing a very long text measures a limited part of it (%#)",
      },
      {
        attack: "very many long names on the screen of `/mcp`",
        file: "src/surfaces/tui/screen/wrap.test.ts",
        test: "a row of a very long text measures its beginning only (%#)",
      },
      {
        attack: "a long table that a model streams",
        file: "src/surfaces/tui/chat/show/markdown.test.ts",
        test: "each cell of a streamed table is rendered once",
        failsBefore: "e9fb46e",
      },
      {
        attack: "very long values in a menu",
        file: "src/surfaces/tui/screen/wrap.test.ts",
        test: "a menu of very long items measures their beginnings only",
      },
    ],
  },
  {
    id: "P19",
    threat: "HTTP 101, or an error that names no request, leaves a caller waiting",
    defence:
      "101 is reported as a status. An error without an id fails the request whose response contains it, or the only request that it can belong to.",
    shownBy: [
      {
        attack: "an error that names no request",
        file: "src/connection/wire/peer.test.ts",
        test: "fails the only pending request",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "P30",
    threat: "A server's question takes the keys that were meant for something else",
    defence:
      "A question that appears on its own accepts keys only after half a second without one, or two seconds while a line is half typed, and text of several letters selects nothing.",
    shownBy: [
      {
        attack: "it comes up while you think about the rest of a line",
        file: "src/surfaces/tui/screen/key-guard.test.ts",
        test: "an unexpected question waits longer while a line is half typed",
      },
      {
        attack: "it appears while you start to type",
        file: "src/surfaces/tui/screen/key-guard.test.ts",
        test: "an unexpected question accepts no keys before a pause",
      },
      {
        attack: "the previous question is withdrawn",
        file: "src/surfaces/tui/screen/key-guard.test.ts",
        test: "a question that replaces a withdrawn one waits for its own pause",
      },
      {
        attack: "a paste",
        file: "src/surfaces/tui/screen/dialog-queue.test.ts",
        test: "text of several characters picks no choice",
        failsBefore: "505e8c0",
      },
    ],
  },
];
