// The TypeScript SDK's client as an agent: one JSON request a line on stdin, one JSON answer a line on stdout.
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, name] = process.argv.slice(2);
const client = new Client({ name, version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
process.stdout.write('{"ready":true}\n');

const options = { onprogress: () => undefined, resetTimeoutOnProgress: true };
for await (const line of createInterface({ input: process.stdin })) {
  const { tool, args } = JSON.parse(line);
  const answer = await client
    .callTool({ name: tool, arguments: args }, undefined, options)
    .catch((error) => ({ protocolError: String(error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await client.close();
