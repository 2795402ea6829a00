import OpenAI from "openai";
import { createHost } from "plugboard";
import { responsesTools } from "plugboard/openai";

const client = new OpenAI();
const host = await createHost();
try {
  const tools = responsesTools(host.session(), { strict: true });
  const input = [{ role: "user", content: process.argv[2] }];
  for (;;) {
    const response = await client.responses.create({
      model: "gpt-5.1",
      input,
      tools: await tools.definitions(),
    });
    const results = await tools.run(response.output);
    if (results.length === 0) {
      console.log(response.output_text);
      break;
    }
    input.push(...response.output, ...results);
  }
} finally {
  await host.close();
}
