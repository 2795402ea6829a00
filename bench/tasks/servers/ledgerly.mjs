/** Ledgerly: invoices and payments. */
import { added, byId, checkDate, choice, list, matching, number, object, text, tool } from "../define.mjs";

export function createData() {
  return {
    customers: [
      { id: "cus_11", name: "Nordwind GmbH", email: "billing@nordwind.example" },
      { id: "cus_12", name: "Northern Lights Ltd", email: "pay@nlights.example" },
      { id: "cus_13", name: "Acacia Foods", email: "ap@acacia.example" },
    ],
    invoices: [
      { id: "inv_501", customer: "cus_11", amount: 1200, status: "open", due: "2026-02-01" },
      { id: "inv_502", customer: "cus_12", amount: 90, status: "paid", due: "2026-02-10" },
      { id: "inv_503", customer: "cus_13", amount: 310, status: "open", due: "2026-01-15" },
    ],
    payments: [{ id: "pay_900", invoice: "inv_502", amount: 90, status: "settled" }],
    reminders: [],
  };
}

export function createTools(data) {
  const invoice = text("Id of the invoice, such as inv_501");
  return {
    find_customer: tool(
      "Find customers by name or email.",
      { query: text("Part of the name or email") },
      ({ query }) => matching(data.customers, query, "name", "email"),
    ),
    create_customer: tool(
      "Add a customer.",
      {
        name: text("Full name"),
        email: text("For invoices"),
        address: object("Where invoices go", {
          street: text("Street and number"),
          city: text("City"),
          country: text("Two-letter country code"),
        }),
      },
      (facts) => added(data.customers, "cus", facts),
    ),
    list_invoices: tool(
      "List the invoices of a customer, or all.",
      {
        "customerId?": text("Only of this customer"),
        "status?": choice("Only in this state", "draft", "open", "paid", "void"),
      },
      ({ customerId, status }) =>
        data.invoices.filter(
          (each) =>
            (customerId === undefined || each.customer === customerId) &&
            (status === undefined || each.status === status),
        ),
    ),
    create_invoice: tool(
      "Create a draft invoice for a customer.",
      {
        customerId: text("Id of the customer"),
        lines: list(
          object("A position", { description: text("What"), amount: number("Price in euros") }),
          "The positions",
        ),
        due: text("When it must be paid, as YYYY-MM-DD"),
      },
      ({ customerId, lines, due }) => {
        checkDate("due", due);
        const amount = lines.reduce((sum, line) => sum + line.amount, 0);
        return added(data.invoices, "inv", {
          customer: byId(data.customers, customerId).id,
          amount,
          due,
          status: "draft",
        });
      },
    ),
    send_invoice: tool(
      "Finalize a draft invoice and email it to the customer.",
      { invoiceId: invoice },
      ({ invoiceId }) => Object.assign(byId(data.invoices, invoiceId), { status: "open" }),
    ),
    void_invoice: tool(
      "Void an invoice, so that nothing is owed.",
      { invoiceId: invoice, "note?": text("Why") },
      ({ invoiceId }) => Object.assign(byId(data.invoices, invoiceId), { status: "void" }),
    ),
    record_payment: tool(
      "Record a payment that arrived for an invoice.",
      {
        invoiceId: invoice,
        amount: number("In euros"),
        "method?": choice("How it was paid", "bank", "card", "cash"),
      },
      ({ invoiceId, amount, method = "bank" }) => {
        const mine = byId(data.invoices, invoiceId);
        if (amount >= mine.amount) mine.status = "paid";
        return added(data.payments, "pay", { invoice: invoiceId, amount, method, status: "settled" });
      },
    ),
    list_payments: tool("List the payments of an invoice.", { invoiceId: invoice }, ({ invoiceId }) =>
      data.payments.filter((each) => each.invoice === invoiceId),
    ),
    refund_payment: tool(
      "Give money back that was paid.",
      {
        paymentId: text("Id of the payment, such as pay_900"),
        "amount?": number("In euros; default: everything"),
        reason: choice("Why", "requested_by_customer", "duplicate", "fraud"),
      },
      ({ paymentId, amount, reason }) => {
        const payment = byId(data.payments, paymentId);
        return Object.assign(payment, { status: "refunded", refunded: amount ?? payment.amount, reason });
      },
    ),
    send_reminder: tool(
      "Remind a customer of an unpaid invoice by email.",
      { invoiceId: invoice, "tone?": choice("How firm", "friendly", "firm", "final") },
      ({ invoiceId, tone = "friendly" }) =>
        added(data.reminders, "rem", { invoice: byId(data.invoices, invoiceId).id, tone }),
    ),
  };
}
