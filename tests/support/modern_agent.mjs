// The second line of the TypeScript SDK's client: connects, and prints the revision it speaks and what it got.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, mode] = process.argv.slice(2);
const client = new Client({ name: 'Modern', version: '1' }, { versionNegotiation: { mode } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const list = await client.callTool({ name: 'list_inspections', arguments: {} });
const answer = {
  revision: client.getNegotiatedProtocolVersion(),
  tools: tools.map((tool) => tool.name),
  inspections: list.structuredContent,
};
process.stdout.write(JSON.stringify(answer));
await client.close();
