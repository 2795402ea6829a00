/** Texts from before the rewrite that a careful reader marks. `npm run texts` mixes ten of them into each sample. */
export const BAD_TEXTS = [
  { kind: "api doc", text: "Told what changes. The answer stops it. A listener that throws hurts nobody." },
  { kind: "api doc", text: "Answers whether there was one." },
  { kind: "api doc", text: "Records the person's yes to the launch with that hash." },
  { kind: "api doc", text: "How the tools stand to what was looked at" },
  { kind: "api doc", text: "The states in the five words of OpenCode" },
  { kind: "message", text: "take the project's word for this run, without asking" },
  {
    kind: "message",
    text: "Say what was read, what is wrong with it, what its owner would do, and what to type",
  },
  { kind: "message", text: "Nothing to complain about. Whether they run is told by: plugboard status" },
  { kind: "message", text: '"x" is no server known by name' },
  { kind: "message", text: "It went without some values, which may be why" },
  { kind: "message", text: "work/fake has had enough for now (429)" },
  { kind: "message", text: "Nothing was added. /mcp add goes on with what you typed" },
  { kind: "document", text: "One gate stands on every way to a tool." },
  { kind: "document", text: "A demo server comes along, so there is always one." },
  { kind: "document", text: "Files that cannot be read are told of and used all the same." },
  {
    kind: "comment",
    text: "One that went before it said what it offers never arrived; of that its next state tells.",
  },
  {
    kind: "comment",
    text: "Which launch a conversation is with, by its end, which stays the same where requests are counted",
  },
  { kind: "comment", text: "What is wrong with the reading of one provider; nothing, it is to be hoped." },
  { kind: "test title", text: "whoever asks twice is told once, and nobody waits" },
  { kind: "identifier", text: "theOneThatMatters" },
  { kind: "identifier", text: "whyItMustStay" },
];
