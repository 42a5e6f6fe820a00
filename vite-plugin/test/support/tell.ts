import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Companion } from '../../src/companion/registry.ts';

export type Told = { event: string; ago: number } & Record<string, unknown>;

/** A companion that takes reports, answering with `status`; ends with the test. */
export async function createListener() {
  const told: Told[] = [];
  const batches: { lease: string; dropped: number; sent: number; events: Told[] }[] = [];
  const state = { status: 204 };
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const batch = JSON.parse(Buffer.concat(chunks).toString());
    batches.push(batch);
    if (state.status === 204) told.push(...batch.events);
    response.writeHead(state.status).end();
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const companion: Companion = {
    host: '127.0.0.1',
    port,
    pid: 1,
    version: '0',
    pageToken: 'page-token',
    pluginToken: 'plugin-token',
    agentToken: undefined,
  };
  return { companion, told, batches, state };
}
