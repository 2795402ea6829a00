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
        test: "is refused by the gateway, and other clients' calls continue",
        failsBefore: "e9fb46e",
      },
      {
        attack: "a deeply nested answer to a question",
        file: "test/gateway/calls.test.ts",
        test: "a client's answer that is nested too deeply fails only the question",
      },
      {
        attack: "a server's deeply nested result",
        file: "test/gateway/calls.test.ts",
        test: "a result that is nested too deeply fails its call with a plain error, over %s",
      },
      {
        attack: "deep or circular values of a program, over every transport",
        file: "test/flow/unsendable-values.test.ts",
        test: "values for %s that cannot be converted to JSON fail the call and not the connection",
        failsBefore: "e9fb46e",
      },
    ],
  },
  {
    id: "P51",
    threat: "A client opens and closes streams until the gateway has no memory left",
    defence:
      "A closed stream leaves nothing behind. The number of open streams and the length of their filters are limited.",
    shownBy: [
      {
        attack: "streams that are opened and closed",
        file: "test/gateway/subscriptions.test.ts",
        test: "streams that were closed leave no listeners behind",
        failsBefore: "e9fb46e",
      },
      {
        attack: "too many streams, or a filter that is too long",
        file: "test/gateway/subscriptions.test.ts",
        test: "streams beyond the limit are refused, and so is a filter that is too long",
        failsBefore: "e9fb46e",
      },
    ],
  },
  {
    id: "P52",
    threat: "A client starts a server again and again by announcing other capabilities",
    defence:
      "Only known fields are announced to servers. At most eight sets of capabilities have connections at the same time, and four per client for servers that are not shared.",
    shownBy: [
      {
        attack: "unknown fields of an extension",
        file: "test/gateway/shared-connections.test.ts",
        test: "clients cannot start a server again by announcing unknown fields",
        failsBefore: "e9fb46e",
      },
      {
        attack: "all combinations of known capabilities",
        file: "test/gateway/shared-connections.test.ts",
        test: "2.2 clients with many different capabilities use at most eight processes of a server",
        failsBefore: "e9fb46e",
      },
    ],
  },
  {
    id: "P53",
    threat: "A server's question about one client's call reaches another client",
    defence:
      "A question without its own stream is asked only if it can belong to just one client, including clients of cancelled calls. Otherwise it is refused, and each client gets its own connection.",
    shownBy: [
      {
        attack: "a question after a cancelled call",
        file: "test/gateway/shared-connections.test.ts",
        test: "2.8 a question that may belong to another client's cancelled call is not asked",
        failsBefore: "e9fb46e",
      },
    ],
  },
  {
    id: "P54",
    threat: "A server announces ever new names until the gateway has no memory left",
    defence:
      "The gateway remembers a server's current names and 2,000 earlier ones, and names only new items.",
    shownBy: [
      {
        attack: "30 lists of 1,000 new names each",
        file: "src/serving/names/name-table.test.ts",
        test: "for a server whose names always change, the current and the last 2,000 former names are kept",
      },
      {
        attack: "another server's names",
        file: "src/serving/names/name-table.test.ts",
        test: "a server whose names always change does not make the gateway forget another server's names",
      },
    ],
  },
  {
    id: "P55",
    threat: "A server's templates make every request for a resource slow",
    defence: "A URI is compared with a template in linear time.",
    shownBy: [
      {
        attack: "templates of very many braces",
        file: "src/serving/relay/may-match.test.ts",
        test: "a template with many { is compared in linear time",
      },
    ],
  },
  {
    id: "P57",
    threat: "A client uses the endpoint of a server that is not approved",
    defence: "Every request is refused with 403, which says only that the server requires approval.",
    shownBy: [
      {
        attack: "`initialize` and other requests",
        file: "test/gateway/http-access.test.ts",
        test: "the endpoint of a server that is not approved reports only that, and starts nothing",
        failsBefore: "e9fb46e",
      },
    ],
  },
  {
    id: "P68",
    threat: "A repository chooses a server's name so that a suggested command does something else",
    defence: "Names are quoted in the commands that the gateway suggests to clients and pages.",
    shownBy: [
      {
        attack: "another command, an option, or `--yes` and `--hash`",
        file: "test/gateway/connect-tool.test.ts",
        test: "the command that approves a server runs nothing else, even if the server's name contains shell syntax",
        failsBefore: "20958410",
      },
    ],
  },
  {
    id: "P62",
    threat: "A client of a bundle reaches a prompt that the bundle does not offer",
    defence:
      "`prompts/get` and `completion/complete` find a prompt with the same function, which knows only offered ones.",
    shownBy: [
      {
        attack: "completing its arguments",
        file: "test/gateway/resources-and-prompts.test.ts",
        test: "a bundle completes no arguments of prompts that it does not offer",
        failsBefore: "b2fb9a65",
      },
    ],
  },
  {
    id: "P91",
    threat: "A server chooses a tool's name so that calls of another server's tool reach it, or the reverse",
    defence:
      "Only names with a hash end like one. A name belongs to the first item that has it; others get a longer hash.",
    shownBy: [
      {
        attack: "a name that another server's tool gets when it collides",
        file: "src/serving/names/names.test.ts",
        test: "a server cannot take another server's name with a hash by choosing the same text",
        failsBefore: "a7e39ff",
      },
      {
        attack: "two tools with the same short hash",
        file: "src/serving/names/names.test.ts",
        test: "items with the same short hash have different names",
        failsBefore: "a7e39ff",
      },
    ],
  },
  {
    id: "P92",
    threat: "A client's request blocks the gateway with long addresses of resources",
    defence:
      "Only the beginning of an address, as long as the longest name of a server, is compared with the names.",
    shownBy: [
      {
        attack: "a thousand addresses of 16,000 `+`",
        file: "src/serving/names/names.test.ts",
        test: "a thousand addresses of 16,000 + are looked up in linear time",
        failsBefore: "a7e39ff",
      },
    ],
  },
  {
    id: "P93",
    threat: "A client takes all places, or ends other clients' sessions",
    defence:
      "Sessions with requests or streams never end for new ones. An eighth of all places stays free for clients without running requests, and all requests without a session count as one client.",
    shownBy: [
      {
        attack: "more sessions than the limit",
        file: "test/gateway/limits.test.ts",
        test: "a session with a running %s does not end for a new one",
        failsBefore: "cce32dd",
      },
      {
        attack: "as many requests as there are places",
        file: "src/serving/limits.test.ts",
        test: "some places are reserved for clients without running requests",
        failsBefore: "cce32dd",
      },
      {
        attack: "requests without a session",
        file: "test/gateway/limits.test.ts",
        test: "all requests without a session count as one client",
        failsBefore: "cce32dd",
      },
    ],
  },
  {
    id: "P94",
    threat: "A client of a bundle reads another server's log messages",
    defence: "Lists and log messages reach only clients whose endpoint offers their server.",
    shownBy: [
      {
        attack: "a log message that belongs to no call",
        file: "src/serving/relay/log-levels.test.ts",
        test: "a log message without a call reaches clients that may see its server: %s",
        failsBefore: "cce32dd",
      },
    ],
  },
  {
    id: "P95",
    threat: "A server writes instructions in another server's name",
    defence: "In the instructions of all servers, every line of a server's own text is quoted.",
    shownBy: [
      {
        attack: "a heading with another server's name, after every kind of line break",
        file: "src/serving/merge/instructions.test.ts",
        test: "a server cannot write the section of another server after %j",
        failsBefore: "cce32dd",
      },
    ],
  },
  {
    id: "P96",
    threat: "A server blocks the gateway with huge questions, progress, logs or task statuses",
    defence:
      "Messages, statuses and names of loggers are shortened before secrets are masked in them. Questions of more than 2 MB are refused, and larger members of notifications replaced.",
    shownBy: [
      {
        attack: "texts of 10 MB, and many small ones",
        file: "src/serving/eras/mask-for-client.test.ts",
        test: "masking %s of a notification costs little",
        failsBefore: "6320a9a",
      },
      {
        attack: "a secret where a long text is cut off",
        file: "src/serving/eras/mask-for-client.test.ts",
        test: "a message that is too long for a notification is shortened, and a secret at its end is masked",
      },
      {
        attack: "large questions, alone or together",
        file: "src/serving/eras/mask-for-client.test.ts",
        test: "questions that are asked together are refused if they are too large together",
        failsBefore: "6320a9a",
      },
    ],
  },
  {
    id: "P97",
    threat: "A server asks the user in another server's name",
    defence:
      "If a client sees several servers, each question begins with its server's name, and control characters in it are shown as escapes.",
    shownBy: [
      {
        attack: "control characters that erase the name",
        file: "src/serving/server-requests/question.test.ts",
        test: "a server cannot erase its name from a question",
        failsBefore: "6320a9a",
      },
      {
        attack: "a request for a model without a system prompt",
        file: "src/serving/server-requests/question.test.ts",
        test: "a request for a model names its server, with or without a system prompt",
        failsBefore: "6320a9a",
      },
    ],
  },
  {
    id: "P98",
    threat: "A client fills the gateway's memory with what sessions and subscriptions keep",
    defence:
      "Capabilities have at most 4 KB and addresses of resources 8 KB. Sessions and subscriptions keep nothing else of a message. All sessions together keep a limited number of events.",
    shownBy: [
      {
        attack: "events that very many sessions could ask for again",
        file: "src/serving/client/history-room.test.ts",
        test: "all sessions together keep a limited number of events, and the oldest history is emptied first",
      },
      {
        attack: "huge capabilities, in both eras",
        file: "test/hostile/gateway-memory.test.ts",
        test: "a client that announces too much is refused: %s",
        failsBefore: "6320a9a",
      },
      {
        attack: "long addresses",
        file: "test/hostile/gateway-memory.test.ts",
        test: "an address of more than 8 KB is refused wherever a client may send one",
        failsBefore: "6320a9a",
      },
      {
        attack: "long texts in members that are shortened or ignored",
        file: "test/hostile/gateway-memory.test.ts",
        test: "sessions and subscriptions do not keep the messages that created them",
        failsBefore: "6320a9a",
      },
    ],
  },
  {
    id: "P99",
    threat: "A client blocks the gateway with a long message",
    defence:
      "Messages of more than 64 KB are parsed in slices, in order. Messages with over a million values, or with an object of over 20,000 members, are refused. So are names of more than 1,024 characters.",
    shownBy: [
      {
        attack: "a name of megabytes, in which secrets would be searched",
        file: "test/hostile/gateway-requests.test.ts",
        test: "a name of more than 1,024 characters is refused wherever a client may send one",
      },
      {
        attack: "hundreds of thousands of arrays or objects",
        file: "src/serving/client/parse-message.test.ts",
        test: "a long message of %s is parsed in slices",
      },
      {
        attack: "over a million values",
        file: "src/serving/client/parse-message.test.ts",
        test: "a long message with %s is refused",
      },
      {
        attack: "nesting behind very many members",
        file: "src/serving/client/parse-message.test.ts",
        test: "a message with a huge object is refused, because its members cannot all be checked",
      },
    ],
  },
];
