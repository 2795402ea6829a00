import type { Threat } from "./threat.ts";

/** What a server may try with its tools. */
export const ofTools: readonly Threat[] = [
  {
    id: "S8",
    threat: "A definition instructs the model",
    defence:
      "Untrusted servers offer only what an allow list names; a lint tells of suspicious definitions, and is never the only gate.",
    shownBy: [
      {
        attack: "a definition instructs the model",
        file: "test/hostile/lint.test.ts",
        test: "poisoned definitions are flagged, and honest ones are not",
      },
      {
        attack: "an untrusted server offers what it likes",
        file: "src/policy/gate.test.ts",
        test: "offers nothing without an explicit allow list, and that is known before anything connects",
      },
    ],
  },
  {
    id: "S9",
    threat: "A tool changes after you looked at it",
    defence:
      "Definitions are pinned; what changed is held back until you accept it. A damaged file of pins holds everything back.",
    shownBy: [
      {
        attack: "a tool changes after it was looked at",
        file: "test/hostile/mutations.test.ts",
        test: "every single change of a pinned tool is noticed",
      },
      {
        attack: "and is used all the same",
        file: "test/flow/tool-pins.test.ts",
        test: "has the changed and the new ones held back until a person accepts them",
      },
      {
        attack: "or its pin is tampered with",
        file: "test/flow/tool-pins.test.ts",
        test: "is remembered between runs, and a file that was tampered with holds everything back",
      },
      {
        attack: "the folder of the pins is replaced",
        file: "test/flow/tool-pins.test.ts",
        test: "has everything held back if the folder of the pins was replaced by a file",
        failsBefore: "505e8c0",
      },
      {
        attack: "it says only later that it reads",
        file: "test/flow/tool-pins.test.ts",
        test: "asks for a tool that says only later that it only reads, until that was reviewed",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "S10",
    threat: "One server's tool passes for another's",
    defence:
      "No two tools have one name: of two alike, one gets a hash. A definition that names another server's tools is told of.",
    shownBy: [
      {
        attack: "two tools share a name",
        file: "test/durability/tool-names.test.ts",
        test: "no two tools have one name, and each name leads back to its tool: %s",
      },
      {
        attack: "a definition speaks of another's tool",
        file: "test/flow/tool-pins.test.ts",
        test: "a definition that names another server's tool is told of, one that names its sibling is not",
      },
      {
        attack: "another server's tool gets the name",
        file: "test/flow/tool-names.test.ts",
        test: "when the other one is met in a later process",
        failsBefore: "505e8c0",
      },
    ],
  },
  {
    id: "S11",
    threat: "A tool is used that a person should have been asked for",
    defence:
      "`approval` rules are checked on every way to a tool. A server's word that a tool only reads counts where you trust the server.",
    shownBy: [
      {
        attack: "a stranger's word that a tool only reads",
        file: "src/policy/gate.test.ts",
        test: "a tool that says it only reads is not asked for, where its server is trusted",
      },
      {
        attack: "a call that needs a person is made without",
        file: "test/flow/tool-gate.test.ts",
        test: "is marked, fails at once where there is nobody, and is made when they agree",
      },
    ],
  },
  {
    id: "S20",
    threat: "A schema, a pattern or a check costs for ever",
    defence:
      "Schemas are measured before use and quarantined alone; patterns run in linear time; every step of a check is counted.",
    shownBy: [
      { attack: "a schema that costs too much", file: "src/bridge/schema/quarantine.test.ts", test: "%s" },
      {
        attack: "a pattern that never ends",
        file: "test/flow/hostile-tools.test.ts",
        test: "with a pattern that takes others for ever is checked at once",
      },
      { attack: "a check that lasts for minutes", file: "src/bridge/check/check-value.test.ts", test: "%s" },
      {
        attack: "references that are followed over and over",
        file: "src/bridge/check/check-value.test.ts",
        test: "references by %s, over and over",
      },
      {
        attack: "an answer that is compared without end",
        file: "src/bridge/tool-result.test.ts",
        test: "is not looked for without end: %s",
      },
    ],
  },
  {
    id: "S21",
    threat: "An answer without end",
    defence:
      "Bodies, events and lines are bounded while they arrive, after decompression. Long answers reach a model as a preview and a file.",
    shownBy: [
      {
        attack: "an answer without end",
        file: "test/flow/http-limits.test.ts",
        test: "a body that never ends is given up once it has grown too large",
      },
      {
        attack: "an answer that fills the model",
        file: "test/flow/hostile-tools.test.ts",
        test: "that is huge reaches the model as a preview, and a file of its owner's",
      },
    ],
  },
  {
    id: "S23",
    threat: "Text that only a model sees",
    defence: "Characters that hide text are made visible in everything a server says of itself.",
    shownBy: [
      {
        attack: "text that only a model sees",
        file: "test/flow/hostile-tools.test.ts",
        test: "cannot hide text from a reader, nor run on for ever",
      },
      {
        attack: "text that only a model sees, in a schema",
        file: "test/flow/hostile-tools.test.ts",
        test: "cannot hide text in the words of its schemas, whose values stay as they are",
      },
    ],
  },
  {
    id: "S31",
    threat: "A schema puts arguments into headers that mean something else",
    defence: "Header names are checked; a tool that marks wrongly is dropped alone.",
    shownBy: [
      {
        attack: "a header that is no header, or two of one name",
        file: "src/connection/http/request-headers.test.ts",
        test: "a tool that marks %s marks wrongly",
      },
    ],
  },
  {
    id: "S35",
    threat: "An address in an answer is visited",
    defence: "Nothing follows addresses in answers.",
    shownBy: [
      {
        attack: "an address in an answer is visited",
        file: "test/flow/hostile-tools.test.ts",
        test: "with links makes nobody follow them",
      },
    ],
  },
  {
    id: "P15",
    threat: "A definition takes seconds and gigabytes to inspect",
    defence:
      "Large messages are parsed in slices, schemas that are far too large are left out and their tools quarantined, and loops over tools yield. A list is limited in size, number and time as a whole, invalid tools included.",
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
        test: "more than a million values are refused",
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
        test: "with heavy tools that cannot be used are cut too",
        failsBefore: "9d25cc3",
      },
      {
        attack: "pages that come slowly",
        file: "src/catalog/read-list.test.ts",
        test: "that come slowly are cut after five times the limit of one",
      },
    ],
  },
  {
    id: "P29",
    threat: "A message of a server keeps the process busy or fills its memory",
    defence:
      "Texts are cut before they are cleaned, long strings and structured content are handled in slices, and what waits is bounded by size.",
    shownBy: [
      {
        attack: "escapes in one string",
        file: "src/platform/parse-json-in-slices.test.ts",
        test: "one long string of %s is read in several turns, and nothing of it is lost",
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
        attack: "replies that nobody reads",
        file: "src/connection/wire/replies.test.ts",
        test: "replies that wait are limited by their size too",
        failsBefore: "505e8c0",
      },
      {
        attack: "an exception in the middle of a message",
        file: "src/connection/wire/inbox.test.ts",
        test: "a handler that throws at %s is reported, and what comes next is read",
        failsBefore: "505e8c0",
      },
      {
        attack: "a small schema that is looked at again and again",
        file: "src/connection/http/request-headers.test.ts",
        test: "schemas that are nested by %s are looked at once each",
        failsBefore: "505e8c0",
      },
      {
        attack: "a task that asks without end",
        file: "src/connection/wire/follow-task-limits.test.ts",
        test: "without end is given up after ten rounds, and cancelled",
        failsBefore: "505e8c0",
      },
      {
        attack: "a value or token of many lines",
        file: "src/model/secrets/redactor-long-values.test.ts",
        test: "a hundred thousand values that begin alike",
        failsBefore: "505e8c0",
      },
      {
        attack: "lists that take a gigabyte",
        file: "src/catalog/heavy-items.test.ts",
        test: "all lists of a server together are kept up to 20 million characters, and the reason is told",
        failsBefore: "505e8c0",
      },
      {
        attack: "a kept list that is parsed at the next start",
        file: "src/state/catalog-cache.test.ts",
        test: "of many prompts is parsed with turns for others in between",
        failsBefore: "505e8c0",
      },
      {
        attack: "an answer that is not UTF-8",
        file: "test/hostile/large-answers.test.ts",
        test: "an answer of 16 MB of %s takes less than 128 MB of memory",
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
];
