/** Postbox: email. */
import { added, byId, list, matching, text, tool } from "../define.mjs";

export function createData() {
  return {
    messages: [
      {
        id: "msg_1",
        from: "lena@supplier.example",
        subject: "Delivery moved to 14 March",
        body: "Pallet order PO-88 arrives on 2026-03-14.",
        folder: "inbox",
      },
      {
        id: "msg_2",
        from: "tom@customer.example",
        subject: "Cannot pay with my card",
        body: "The checkout says error E-4012. Order 7731.",
        folder: "inbox",
      },
      {
        id: "msg_3",
        from: "news@shoes.example",
        subject: "Spring sale",
        body: "Everything must go.",
        folder: "inbox",
      },
    ],
    sent: [],
    drafts: [],
  };
}

export function createTools(data) {
  const message = text("Id of the message, such as msg_1");
  const to = list({ type: "string" }, "Email addresses");
  return {
    search_mail: tool(
      "Search messages by sender, subject or text. Returns id, sender and subject.",
      { query: text("Words to look for") },
      ({ query }) =>
        matching(data.messages, query, "from", "subject", "body").map(({ id, from, subject }) => ({
          id,
          from,
          subject,
        })),
    ),
    read_message: tool("Read a message.", { messageId: message }, ({ messageId }) =>
      byId(data.messages, messageId),
    ),
    send_mail: tool(
      "Send a new message.",
      { to, subject: text("Subject"), body: text("Plain text"), "cc?": to },
      (facts) => added(data.sent, "snt", facts),
    ),
    save_draft: tool(
      "Save a message without sending it.",
      { to, subject: text("Subject"), body: text("Plain text") },
      (facts) => added(data.drafts, "drf", facts),
    ),
    reply: tool(
      "Reply to the sender of a message.",
      { messageId: message, body: text("Plain text") },
      ({ messageId, body }) =>
        added(data.sent, "snt", { to: [byId(data.messages, messageId).from], inReplyTo: messageId, body }),
    ),
    forward_message: tool(
      "Forward a message to others.",
      { messageId: message, to, "note?": text("Text above it") },
      ({ messageId, to: others }) =>
        added(data.sent, "snt", { to: others, forwarded: byId(data.messages, messageId).id }),
    ),
    move_message: tool(
      "Move a message to a folder.",
      { messageId: message, folder: text("Name of the folder, such as archive") },
      ({ messageId, folder }) => Object.assign(byId(data.messages, messageId), { folder }),
    ),
    unsubscribe: tool("Stop a newsletter from arriving.", { messageId: message }, ({ messageId }) =>
      Object.assign(byId(data.messages, messageId), { unsubscribed: true }),
    ),
  };
}
