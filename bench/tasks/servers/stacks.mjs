/** Stacks: documents of a team. */
import { added, byId, choice, list, matching, text, tool } from "../define.mjs";

export function createData() {
  return {
    documents: [
      { id: "doc_1", title: "Onboarding checklist", body: "1. Laptop\n2. Badge", space: "people" },
      { id: "doc_2", title: "Refund policy", body: "Refunds within 30 days, full amount.", space: "sales" },
      { id: "doc_3", title: "On-call runbook: payments", body: "E-4012: rotate GATEWAY_KEY.", space: "ops" },
    ],
    shares: [],
    comments: [],
  };
}

export function createTools(data) {
  const document = text("Id of the document, such as doc_1");
  return {
    find_documents: tool(
      "Find documents by their title or text.",
      { query: text("Words to look for") },
      ({ query }) =>
        matching(data.documents, query, "title", "body").map(({ id, title, space }) => ({
          id,
          title,
          space,
        })),
    ),
    read_document: tool("Read a document's text.", { documentId: document }, ({ documentId }) =>
      byId(data.documents, documentId),
    ),
    write_document: tool(
      "Write a new document.",
      {
        title: text("Title"),
        body: text("Markdown"),
        space: choice("Where it goes", "people", "sales", "ops"),
      },
      (facts) => added(data.documents, "doc", facts),
    ),
    append_to_document: tool(
      "Add text at the end of a document.",
      { documentId: document, body: text("Markdown") },
      ({ documentId, body }) => {
        const mine = byId(data.documents, documentId);
        mine.body += `\n${body}`;
        return mine;
      },
    ),
    archive_document: tool("Archive a document.", { documentId: document }, ({ documentId }) =>
      Object.assign(byId(data.documents, documentId), { isArchived: true }),
    ),
    share_document: tool(
      "Share a document with people.",
      {
        documentId: document,
        emails: list({ type: "string" }, "Who gets access"),
        role: choice("What they may do", "viewer", "commenter", "editor"),
      },
      ({ documentId, ...facts }) =>
        added(data.shares, "shr", { document: byId(data.documents, documentId).id, ...facts }),
    ),
    comment_on_document: tool(
      "Leave a comment on a document.",
      { documentId: document, body: text("The comment") },
      ({ documentId, body }) =>
        added(data.comments, "cmt", { document: byId(data.documents, documentId).id, body }),
    ),
  };
}
