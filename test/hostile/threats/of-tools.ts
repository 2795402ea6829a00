import type { Threat } from "./threat.ts";

/** Attacks by tools of a server. */
export const ofTools: readonly Threat[] = [
  {
    id: "S8",
    threat: "A definition instructs the model",
    defence:
      "Untrusted servers offer only tools on an allow list. A lint reports suspicious definitions; it is never the only check.",
    shownBy: [
      {
        attack: "a definition instructs the model",
        file: "test/hostile/lint.test.ts",
        test: "poisoned definitions are flagged, and honest ones are not",
      },
      {
        attack: "an untrusted server offers any tool",
        file: "src/policy/policy-check.test.ts",
        test: "offers no tools without an allow list, even before anything connects",
      },
    ],
  },
  {
    id: "S9",
    threat: "A tool changes after you reviewed it",
    defence:
      "Definitions are pinned. Changed tools are withheld until you accept them. If the pins file is damaged, all tools are withheld.",
    shownBy: [
      {
        attack: "a tool changes after it was reviewed",
        file: "test/hostile/mutations.test.ts",
        test: "every single change of a pinned tool is noticed",
      },
      {
        attack: "a changed tool is used",
        file: "test/flow/tool-pins.test.ts",
        test: "has the changed and the new ones held back until the user accepts them",
      },
      {
        attack: "the pins file is modified",
        file: "test/flow/tool-pins.test.ts",
        test: "is remembered between runs, and a tampered file holds all tools back",
      },
      {
        attack: "the pins folder is replaced",
        file: "test/flow/tool-pins.test.ts",
        test: "has all tools held back if the folder of the pins was replaced by a file",
        failsBefore: "505e8c0",
      },
      {
        attack: "a tool declares itself read-only later",
        file: "test/flow/tool-pins.test.ts",
        test: "requires approval for a tool that is marked as read-only later, until that is reviewed",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "S10",
    threat: "A tool imitates another server's tool",
    defence:
      "Tool names are unique: tools that would share a name get a hash. A definition that names another server's tools is reported.",
    shownBy: [
      {
        attack: "two tools share a name",
        file: "test/durability/tool-names.test.ts",
        test: "no two tools share a name, and each name identifies its tool: %s",
      },
      {
        attack: "a definition names another server's tool",
        file: "test/flow/tool-pins.test.ts",
        test: "a definition that names another server's tool is reported, one that names a tool of its own server is not",
      },
      {
        attack: "another server's tool takes over a name",
        file: "test/flow/tool-names.test.ts",
        test: "if the other tool appears in a later process",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "S11",
    threat: "A tool that requires a person's consent is called without it",
    defence:
      "`approval` rules are checked for every call. A server's claim that a tool is read-only counts only if you trust the server.",
    shownBy: [
      {
        attack: "an untrusted server claims that a tool is read-only",
        file: "src/policy/policy-check.test.ts",
        test: "a read-only tool of a trusted server needs no confirmation",
      },
      {
        attack: "a call that requires consent is made without it",
        file: "test/flow/tool-gate.test.ts",
        test: "is marked, fails immediately without a handler, and is made after approval",
      },
    ],
  },
  {
    id: "S20",
    threat: "A schema, a pattern or a check takes unlimited time",
    defence:
      "Schemas are measured before use, and only the affected tool is quarantined. Patterns run in linear time. The steps of a check are limited.",
    shownBy: [
      { attack: "a schema that is too expensive", file: "src/bridge/schema/quarantine.test.ts", test: "%s" },
      {
        attack: "a pattern that never ends",
        file: "test/flow/hostile-tools.test.ts",
        test: "with a pattern that can run forever is checked quickly",
      },
      { attack: "a check that takes minutes", file: "src/bridge/check/check-value.test.ts", test: "%s" },
      {
        attack: "references that are followed repeatedly",
        file: "src/bridge/check/check-value.test.ts",
        test: "repeated references by %s",
      },
      {
        attack: "a result whose comparison never ends",
        file: "src/bridge/tool-result.test.ts",
        test: "is searched for within limits: %s",
      },
    ],
  },
  {
    id: "S21",
    threat: "An endless response",
    defence:
      "The size of bodies, events and lines is limited while they arrive, after decompression. A model gets long results as a preview and a file.",
    shownBy: [
      {
        attack: "an endless response",
        file: "test/flow/http-limits.test.ts",
        test: "a body that never ends is cancelled when it becomes too large",
      },
      {
        attack: "a result that fills the model's context",
        file: "test/flow/hostile-tools.test.ts",
        test: "that is huge reaches the model as a preview, and is saved in a private file",
      },
      {
        attack: "a string that is slow to escape",
        file: "src/bridge/json-writer.test.ts",
        test: "a long string is written in pieces, and no character is cut in half",
        failsBefore: "74e4486",
      },
      {
        attack: "the same, compared with the text",
        file: "src/bridge/check/contains-structured.test.ts",
        test: "a long text is not escaped before the comparison with a text that is %s",
        failsBefore: "74e4486",
      },
    ],
  },
  {
    id: "S23",
    threat: "Text that is visible only to a model",
    defence: "Characters that hide text are made visible in everything that a server reports about itself.",
    shownBy: [
      {
        attack: "text that is visible only to a model",
        file: "test/flow/hostile-tools.test.ts",
        test: "cannot hide text from a reader, and has a limited length",
      },
      {
        attack: "such text in a schema",
        file: "test/flow/hostile-tools.test.ts",
        test: "cannot hide text in the descriptions of its schemas, whose values stay unchanged",
      },
    ],
  },
  {
    id: "S31",
    threat: "A schema sends arguments in headers with another meaning",
    defence: "Header names are checked. Only the tool with an invalid annotation is dropped.",
    shownBy: [
      {
        attack: "an invalid header, or two with the same name",
        file: "src/connection/http/request-headers.test.ts",
        test: "a tool that marks %s is invalid",
      },
    ],
  },
  {
    id: "S35",
    threat: "A URL in a result is opened",
    defence: "Plugboard does not follow URLs in results.",
    shownBy: [
      {
        attack: "a URL in a result is opened",
        file: "test/flow/hostile-tools.test.ts",
        test: "with links does not cause any request",
      },
    ],
  },
  {
    id: "P15",
    threat: "A definition takes seconds and gigabytes to inspect",
    defence:
      "Large messages are parsed in slices, schemas that are far too large are omitted and their tools quarantined, and loops over tools yield. A list is limited in size, number and time as a whole, invalid tools included. So are the words that one server adds to the search.",
    shownBy: [
      {
        attack: "a huge schema",
        file: "test/flow/hostile-tools.test.ts",
        test: "with %s is quarantined alone, and its schemas are not kept",
        failsBefore: "505e8c0",
      },
      {
        attack: "millions of values",
        file: "src/platform/parse-json-in-slices.test.ts",
        test: "more than a million values are rejected",
        failsBefore: "505e8c0",
      },
      {
        attack: "tools whose headers are remembered",
        file: "src/connection/http/tool-headers.test.ts",
        test: "the weight of all %s that are kept is limited",
        failsBefore: "9d25cc3",
      },
      {
        attack: "pages of tools that cannot be used",
        file: "src/catalog/read-list.test.ts",
        test: "with very large unusable tools are also truncated",
        failsBefore: "9d25cc3",
      },
      {
        attack: "pages that come slowly",
        file: "src/catalog/read-list.test.ts",
        test: "that arrive slowly are truncated after five times the limit of one",
      },
      {
        attack: "words that fill the search",
        file: "src/bridge/search/search-index.test.ts",
        test: "a server with a huge number of words fills neither the memory nor the index of others",
        failsBefore: "74e4486",
      },
      {
        attack: "patterns that take seconds to compile",
        file: "src/bridge/check/patterns.test.ts",
        test: "a pattern is left to the server, at no cost, if %s",
        failsBefore: "a7217ad5",
      },
      {
        attack: "very many such patterns",
        file: "src/bridge/check/patterns.test.ts",
        test: "the cost of a pattern includes %s",
        failsBefore: "a7217ad5",
      },
      {
        attack: "a schema that grows when it is converted for a model",
        file: "test/adapters/schemas.test.ts",
        test: "%s stay small for every provider",
        failsBefore: "a7217ad5",
      },
    ],
  },
  {
    id: "P29",
    threat: "A server's message blocks the process or fills its memory",
    defence:
      "Texts are truncated before they are sanitized, long strings and structured content are handled in slices, and queues are limited by size.",
    shownBy: [
      {
        attack: "escapes in one string",
        file: "src/platform/parse-json-in-slices.test.ts",
        test: "one long string of %s is parsed completely in several turns",
        failsBefore: "505e8c0",
      },
      {
        attack: "structured content, parts, files",
        file: "src/bridge/tool-result.test.ts",
        test: "lets other work run while %s is written",
        failsBefore: "505e8c0",
      },
      {
        attack: "a form",
        file: "src/connection/wire/form.test.ts",
        test: "because of %s is refused",
        failsBefore: "505e8c0",
      },
      {
        attack: "replies that the server does not read",
        file: "src/connection/wire/replies.test.ts",
        test: "waiting replies are also limited by size",
        failsBefore: "505e8c0",
      },
      {
        attack: "an exception while a message is handled",
        file: "src/connection/wire/inbox.test.ts",
        test: "a handler that throws at %s is reported, and the next message is read",
        failsBefore: "505e8c0",
      },
      {
        attack: "a small schema that is visited repeatedly",
        file: "src/connection/http/request-headers.test.ts",
        test: "schemas nested by %s are visited once each",
        failsBefore: "505e8c0",
      },
      {
        attack: "a task with endless questions",
        file: "src/connection/wire/follow-task-limits.test.ts",
        test: "endlessly is cancelled after ten rounds",
        failsBefore: "505e8c0",
      },
      {
        attack: "a value or token with many lines",
        file: "src/model/secrets/redactor-long-values.test.ts",
        test: "a hundred thousand values with the same start",
        failsBefore: "505e8c0",
      },
      {
        attack: "lists that need a gigabyte",
        file: "src/catalog/heavy-items.test.ts",
        test: "all lists of a server are kept up to 20 million characters in total, and a problem is reported",
        failsBefore: "505e8c0",
      },
      {
        attack: "a cached list that is parsed at the next start",
        file: "src/state/catalog-cache.test.ts",
        test: "with many prompts is parsed in several turns",
        failsBefore: "505e8c0",
      },
      {
        attack: "an answer that is not UTF-8",
        file: "test/hostile/large-answers.test.ts",
        test: "a response of 16 MB of %s uses less than 128 MB of memory",
        failsBefore: "9d25cc3",
      },
      {
        attack: "a body in pieces of one byte",
        file: "src/platform/read-body.test.ts",
        test: "a body in pieces of one byte takes about as much memory as its text",
      },
      {
        attack: "an object with very many keys",
        file: "src/bridge/tool-result.test.ts",
        test: "lists the keys of a huge object once",
      },
      {
        attack: "a long text in a question",
        file: "src/surfaces/tui/questions/server-text.test.ts",
        test: "only the part of a long text that is shown is cleaned: %s",
      },
    ],
  },
  {
    id: "P35",
    threat: "A definition puts code into generated files",
    defence:
      "In files of `plugboard generate`, servers' texts appear only as escaped strings, comments and plain property names. Types are limited in size and depth, individually and in total. The file is neither read nor written through a link.",
    shownBy: [
      {
        attack: "names, descriptions and schemas with code",
        file: "test/surfaces/cli-generate.test.ts",
        test: "a hostile server cannot break out of the generated code",
      },
      {
        attack: "schemas that cannot become a type",
        file: "src/surfaces/cli/generate/schema-writer.test.ts",
        test: "an intersection of unions that TypeScript would refuse is omitted",
      },
      {
        attack: "small schemas that become gigabytes of types",
        file: "src/surfaces/cli/generate/tool-writer.test.ts",
        test: "stops after too many small schemas that become %s",
      },
      {
        attack: "a repository's link sends the file to your shell's start-up file",
        file: "test/surfaces/cli-generate.test.ts",
        test: "a repository's link neither receives the code nor is read",
      },
    ],
  },
  {
    id: "P162",
    threat: "A server's texts make interactive mode or `generate` slow",
    defence:
      "Only the part of a text that is shown or sent is cleaned, and a key press cleans a limited number of names.",
    shownBy: [
      {
        attack: "long names, notes and completions",
        file: "test/chat/insert.test.ts",
        test: "names and notes of a server are cleaned only as far as a key press has time",
      },
      {
        attack: "a resource or prompt of many megabytes",
        file: "src/surfaces/tui/insert/to-content.test.ts",
        test: "only the part of a long text that the model gets is cleaned",
      },
      {
        attack: "a long text that many references of a schema lead to",
        file: "src/surfaces/cli/generate/safe-code.test.ts",
        test: "only the beginning of a long comment is cleaned",
      },
    ],
  },
];
