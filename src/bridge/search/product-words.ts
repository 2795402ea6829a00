import { wordsOf } from "./search-words.ts";

/** Everyday words for well-known products: the words, and after the colon the names of the products. */
const PRODUCTS = `
mongo: mongodb
elastic: elasticsearch
postgresql pg: postgres
postgres: postgresql
k8s kube: kubernetes
gh: github
team chat messages: slack discord mattermost rocketchat zulip teams
community guild: discord
phone sms text: twilio vonage telnyx
messenger chat phone: whatsapp telegram signal
mail inbox: gmail outlook sendgrid mailgun resend postmark imap smtp
newsletter campaign audience: mailchimp klaviyo brevo sendgrid
agenda appointments meetings: calendar calendly
agenda appointments mail inbox documents office: ms365 office365 outlook microsoft365
repo source code hosting: github gitlab bitbucket gitea
tickets backlog tracker board: jira linear asana trello clickup monday shortcut youtrack redmine
todos tasks reminders: todoist ticktick asana
notes vault: obsidian logseq evernote onenote roam bear joplin
wiki notes pages: notion confluence
no-code database spreadsheet grid: airtable baserow nocodb smartsheet
spreadsheet grid cells: sheets excel
slides deck: powerpoint slides
crm sales leads clients: hubspot salesforce pipedrive attio zoho
helpdesk support tickets customers: zendesk intercom freshdesk helpscout
design mockup drawing: figma sketch penpot canva
payments billing checkout money: stripe paddle paypal square adyen braintree chargebee
accounting bookkeeping invoices: xero quickbooks freshbooks
shop store webshop ecommerce: shopify woocommerce magento bigcommerce etsy square
relational sql db: postgres postgresql mysql mariadb sqlite supabase neon mssql
nosql db: mongodb mongo couchdb firestore dynamodb
cache keys db: redis valkey memcached upstash
warehouse analytics db: bigquery snowflake redshift databricks clickhouse
logs search engine cluster: elasticsearch elastic opensearch algolia solr
vectors embeddings: qdrant pinecone weaviate chroma milvus
cloud vm machines: aws gcp azure hetzner digitalocean linode vultr
serverless functions platform: lambda cloudrun cloudflare vercel netlify
website hosting site: vercel netlify cloudflare
bucket object files: s3 minio gcs
cluster containers pods: kubernetes k8s openshift
container images: docker podman
monitoring dashboards: grafana datadog newrelic prometheus
errors crashes exceptions: sentry bugsnag rollbar
visitors traffic analytics: posthog amplitude mixpanel plausible matomo
browser website site web: playwright puppeteer browserbase devtools selenium
web scraping website site: firecrawl apify scrapy
web internet online: tavily brave exa perplexity serper duckduckgo searxng kagi
maps places route city: mapbox openstreetmap osm googlemaps
lodging apartment stay rental: airbnb
stock shares ticker market company: finance yfinance alphavantage polygon
coins crypto market: coingecko binance coinbase
videos clips films: youtube vimeo
songs music playlist: spotify
phone smartphone device app: mobile appium android ios
iphone ios apple swift simulator: xcode xcodebuild
toggle switch rollout: launchdarkly unleash
builds pipeline ci: circleci jenkins buildkite travis
code quality: codacy sonarqube codeclimate
vulnerabilities security: snyk
api testing contract: smartbear postman pact
papers preprints science: arxiv pubmed zotero
encyclopedia articles: wikipedia
files folders disk: filesystem dropbox onedrive
sketch whiteboard diagram: excalidraw miro lucidchart
diagram flowchart: mermaid drawio
graphs plots diagrams: chart charts echarts plotly
trip journey vacation: travel tripadvisor booking expedia
weather forecast: openweather accuweather
voice speech sound: elevenlabs
pictures drawing: midjourney stability dalle
smart home lights: homeassistant hue
automation zaps: zapier n8n make ifttt
passwords secrets vault: onepassword bitwarden vault
domain dns: route53 godaddy namecheap
`;

let table: ReadonlyMap<string, readonly string[]> | undefined;

/** Returns the everyday words for the products in a server's name. */
export function productWordsOf(server: string): string {
  table ??= readTable();
  const names = wordsOf(server.slice(0, 200));
  const together = names.slice(0, 3).join("");
  return [...new Set([...names, together].flatMap((name) => table?.get(name) ?? []))].join(" ");
}

function readTable(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of PRODUCTS.trim().split("\n")) {
    const [said = "", products = ""] = line.split(":");
    for (const product of wordsOf(products))
      found.set(product, [...(found.get(product) ?? []), ...said.trim().split(" ")]);
  }
  return found;
}
