import { createHost } from "plugboard";
import { z } from "zod";

const host = await createHost({ discover: false });
const session = host.session({
  tools: {
    send_mail: {
      description: "Sends an email",
      inputSchema: z.object({ to: z.email(), text: z.string() }),
      approval: "ask",
      execute: ({ to, text }) => `Sent ${text.length} characters to ${to}`,
    },
  },
});
const [sendMail] = await session.tools();
const message = { to: "ada@example.com", text: "Hello" };
console.log(`${sendMail.name}: ${sendMail.approval}`);
console.log((await sendMail.execute(message, { approved: true })).text);
await host.close();
