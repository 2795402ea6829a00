/** The tasks about customers, goods and colleagues. `tasks.mjs` describes the form. */

export const officeTasks = [
  {
    id: "new-customer",
    steps: [
      {
        say: "Add the customer Fjord AS, mail@fjord.example, Kaigata 4, Bergen, Norway in Ledgerly.",
        queries: ["ledgerly add customer", "create customer with address"],
        tool: "ledgerly/create_customer",
        facts: {
          name: "Fjord AS",
          email: "mail@fjord.example",
          address: {
            exact: { street: "Kaigata 4", city: "Bergen", country: "NO" },
            plain: "Kaigata 4, Bergen, Norway",
          },
        },
        learn: { customer: /"(cus_\d+)"/ },
      },
      {
        say: "Create a Ledgerly invoice for them over 250 euros for consulting, due on 1 April 2026.",
        queries: ["ledgerly create invoice", "new invoice"],
        tool: "ledgerly/create_invoice",
        facts: {
          customerId: "{customer}",
          lines: { exact: [{ description: "Consulting", amount: 250 }], plain: "Consulting: 250" },
          due: { exact: "2026-04-01", plain: "1 April 2026", tell: "YYYY-MM-DD" },
        },
        learn: { invoice: /"(inv_\d+)"/ },
      },
      {
        say: "Send the Ledgerly invoice.",
        queries: ["ledgerly send invoice", "email invoice to customer"],
        tool: "ledgerly/send_invoice",
        facts: { invoiceId: "{invoice}" },
      },
    ],
    result: ({ ledgerly }) => [ledgerly.customers[3].address, ledgerly.invoices.slice(3)],
    expected: [
      { street: "Kaigata 4", city: "Bergen", country: "NO" },
      [{ id: "inv_103", customer: "cus_103", amount: 250, due: "2026-04-01", status: "open" }],
    ],
  },
  {
    id: "remind",
    steps: [
      {
        say: "Find the customer Acacia Foods in Ledgerly.",
        queries: ["ledgerly find customer", "search customers by name"],
        tool: "ledgerly/find_customer",
        facts: { query: "Acacia" },
        learn: { customer: /"(cus_\d+)"/ },
      },
      {
        say: "List their open Ledgerly invoices.",
        queries: ["ledgerly list open invoices", "get unpaid invoices of customer"],
        tool: "ledgerly/list_invoices",
        facts: { customerId: "{customer}", status: { exact: "open", plain: "unpaid" } },
        learn: { invoice: /"(inv_\d+)"/ },
      },
      {
        say: "Remind them firmly of that unpaid invoice with Ledgerly.",
        queries: ["ledgerly remind customer of unpaid invoice", "send payment reminder"],
        tool: "ledgerly/send_reminder",
        facts: { invoiceId: "{invoice}", tone: { exact: "firm", plain: "firmly" } },
      },
    ],
    result: ({ ledgerly }) => ledgerly.reminders,
    expected: [{ id: "rem_100", invoice: "inv_503", tone: "firm" }],
  },
  {
    id: "refund",
    steps: [
      {
        say: "Look up the refund policy in Stacks.",
        queries: ["stacks look up refund policy", "search documents"],
        tool: "stacks/find_documents",
        facts: { query: "refund policy" },
        learn: { policy: /"(doc_\d+)"/ },
      },
      {
        say: "List the payments of invoice inv_502 in Ledgerly.",
        queries: ["ledgerly list payments of invoice", "get payments"],
        tool: "ledgerly/list_payments",
        facts: { invoiceId: "inv_502" },
        learn: { payment: /"(pay_\d+)"/ },
      },
      {
        say: "Refund that Ledgerly payment, because the customer asked for it.",
        queries: ["ledgerly refund payment", "return money to customer"],
        tool: "ledgerly/refund_payment",
        facts: {
          paymentId: "{payment}",
          reason: { exact: "requested_by_customer", plain: "the customer asked for it" },
        },
      },
    ],
    result: ({ ledgerly }) => ledgerly.payments,
    expected: [
      {
        id: "pay_900",
        invoice: "inv_502",
        amount: 90,
        status: "refunded",
        refunded: 90,
        reason: "requested_by_customer",
      },
    ],
  },
  {
    id: "payment",
    steps: [
      {
        say: "Find Nordwind in Ledgerly.",
        queries: ["ledgerly find customer", "search customers"],
        tool: "ledgerly/find_customer",
        facts: { query: "Nordwind" },
        learn: { customer: /"(cus_\d+)"/ },
      },
      {
        say: "List their Ledgerly invoices.",
        queries: ["ledgerly list invoices of customer", "get invoices"],
        tool: "ledgerly/list_invoices",
        facts: { customerId: "{customer}" },
        learn: { invoice: /"(inv_\d+)"/ },
      },
      {
        say: "Record in Ledgerly that they paid 1200 euros by bank for the open invoice.",
        queries: ["ledgerly record paid invoice", "register incoming payment"],
        tool: "ledgerly/record_payment",
        facts: {
          invoiceId: "{invoice}",
          amount: { exact: 1200, plain: "1200" },
          method: { exact: "bank", plain: "bank" },
        },
      },
    ],
    result: ({ ledgerly }) => [ledgerly.invoices[0].status, ledgerly.payments[1]?.amount],
    expected: ["paid", 1200],
  },
  {
    id: "answer-customer",
    steps: [
      {
        say: "Find the mail from tom@customer.example in Postbox.",
        queries: ["postbox find mail from sender", "search email"],
        tool: "postbox/search_mail",
        facts: { query: "tom@customer.example" },
        learn: { message: /"(msg_\d+)"/ },
      },
      {
        say: "Read it in Postbox.",
        queries: ["postbox read mail", "get email message"],
        tool: "postbox/read_message",
        facts: { messageId: "{message}" },
        learn: { order: /Order (\d+)/ },
      },
      {
        say: "Cancel the order that it names in Depot.",
        queries: ["depot cancel order", "cancel customer order"],
        tool: "depot/cancel_order",
        facts: { orderId: "ord_{order}" },
      },
      {
        say: 'Answer the mail in Postbox: "We cancelled your order."',
        queries: ["postbox answer mail", "reply to email"],
        tool: "postbox/reply",
        facts: { messageId: "{message}", body: "We cancelled your order." },
      },
    ],
    result: ({ depot, postbox }) => [depot.orders[0].state, postbox.sent],
    expected: [
      "cancelled",
      [
        {
          id: "snt_100",
          to: ["tom@customer.example"],
          inReplyTo: "msg_2",
          body: "We cancelled your order.",
        },
      ],
    ],
  },
  {
    id: "ship",
    steps: [
      {
        say: "Check the state of order ord_7732 in Depot.",
        queries: ["depot check state of order", "get order status"],
        tool: "depot/get_order",
        facts: { orderId: "ord_7732" },
        learn: { state: /"(packed)"/ },
      },
      {
        say: "Hand the Depot order to DHL: 2 kilograms, not fragile.",
        queries: ["depot hand order to DHL", "ship order with carrier"],
        tool: "depot/ship_order",
        facts: {
          orderId: "ord_7732",
          carrier: { exact: "dhl", plain: "DHL" },
          parcel: { exact: { kilograms: 2, isFragile: false }, plain: "2 kg, not fragile" },
        },
      },
    ],
    result: ({ depot }) => depot.shipments,
    expected: [{ id: "shp_100", order: "ord_7732", carrier: "dhl", kilograms: 2, isFragile: false }],
  },
  {
    id: "restock",
    steps: [
      {
        say: "Check how many wool socks Depot has.",
        queries: ["depot how many in stock", "get inventory of product"],
        tool: "depot/check_stock",
        facts: { product: "Wool socks" },
        learn: { sku: /"(sku_\w+)"/ },
      },
      {
        say: "Order 100 more from the supplier with Depot.",
        queries: ["depot order more from supplier", "create purchase order"],
        tool: "depot/restock",
        facts: { lines: { exact: [{ sku: "{sku}", pieces: 100 }], plain: "{sku}: 100" } },
      },
    ],
    result: ({ depot }) => depot.purchases,
    expected: [{ id: "pur_100", lines: [{ sku: "sku_sock", pieces: 100 }] }],
  },
  {
    id: "move-meeting",
    steps: [
      {
        say: "Find the design review in Daybook.",
        queries: ["daybook find meeting", "search calendar events"],
        tool: "daybook/search_events",
        facts: { query: "Design review" },
        learn: { event: /"(evt_\d+)"/ },
      },
      {
        say: "Move it to 16 March 2026 at 3 pm in Daybook.",
        queries: ["daybook move meeting", "change time of calendar event"],
        tool: "daybook/reschedule_event",
        facts: {
          eventId: "{event}",
          start: { exact: "2026-03-16T15:00", plain: "16 March 2026, 3 pm", tell: "YYYY-MM-DDTHH:MM" },
        },
      },
      {
        say: "Find a room for 10 people in Daybook.",
        queries: ["daybook find room", "search meeting rooms by capacity"],
        tool: "daybook/find_rooms",
        facts: { seats: { exact: 10, plain: "10" } },
        learn: { room: /"(room_\w+)"/ },
      },
      {
        say: "Book the room for the event in Daybook.",
        queries: ["daybook book room", "reserve meeting room"],
        tool: "daybook/book_room",
        facts: { roomId: "{room}", booking: { exact: { eventId: "{event}" }, plain: "{event}" } },
      },
    ],
    result: ({ daybook }) => [daybook.events[0].start, daybook.bookings],
    expected: ["2026-03-16T15:00", [{ id: "bkg_100", room: "room_elm", event: "evt_1" }]],
  },
  {
    id: "vacation",
    steps: [
      {
        say: "Find Carla Rossi in Roster.",
        queries: ["roster find person", "search employees by name"],
        tool: "roster/find_employee",
        facts: { query: "Carla" },
        learn: { employee: /"(emp_\d+)"/, email: /"email":"([^"]+)"/ },
      },
      {
        say: "Request vacation for her from 4 to 8 May 2026 in Roster.",
        queries: ["roster request vacation", "create leave request"],
        tool: "roster/request_time_off",
        facts: {
          employeeId: "{employee}",
          period: { exact: { from: "2026-05-04", to: "2026-05-08" }, plain: "4 to 8 May 2026" },
          kind: { exact: "vacation", plain: "vacation" },
        },
      },
      {
        say: 'Put it into the calendar of Daybook as "Carla on vacation", 4 May 2026 at 9 am, 60 minutes, and invite her.',
        queries: ["daybook put into calendar", "create calendar event with guests"],
        tool: "daybook/create_event",
        facts: {
          title: "Carla on vacation",
          start: { exact: "2026-05-04T09:00", plain: "4 May 2026, 9 am", tell: "YYYY-MM-DDTHH:MM" },
          minutes: { exact: 60, plain: "60" },
          guests: { exact: ["{email}"], plain: "{email}" },
        },
      },
    ],
    result: ({ roster, daybook }) => [roster.absences, daybook.events[3]?.guests],
    expected: [
      [{ id: "abs_100", employee: "emp_3", from: "2026-05-04", to: "2026-05-08", kind: "vacation" }],
      ["carla@team.example"],
    ],
  },
  {
    id: "onboard",
    steps: [
      {
        say: "Add Dia Noor, dia@team.example, to the search team in Roster.",
        queries: ["roster add person to team", "create employee"],
        tool: "roster/add_employee",
        facts: { name: "Dia Noor", email: "dia@team.example", team: "search" },
        learn: { employee: /"(emp_\d+)"/ },
      },
      {
        say: "Order a laptop for her in Roster.",
        queries: ["roster order laptop", "request hardware for employee"],
        tool: "roster/order_equipment",
        facts: { employeeId: "{employee}", item: { exact: "laptop", plain: "a laptop" } },
      },
      {
        say: 'Send her a mail with Postbox, subject "Welcome", text "See you on Monday."',
        queries: ["postbox send mail", "send email"],
        tool: "postbox/send_mail",
        facts: {
          to: { exact: ["dia@team.example"], plain: "dia@team.example" },
          subject: "Welcome",
          body: "See you on Monday.",
        },
      },
    ],
    result: ({ roster, postbox }) => [roster.equipment, postbox.sent],
    expected: [
      [{ id: "eqp_100", employee: "emp_103", item: "laptop" }],
      [{ id: "snt_100", to: ["dia@team.example"], subject: "Welcome", body: "See you on Monday." }],
    ],
  },
];
