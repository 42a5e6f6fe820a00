// A small companion on a real socket: registry, health, lease, and an echo of what the plugin forwards.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const project = option('--project');
const folder = option('--fake-folder');
const projectId = path.basename(folder);
const record = path.join(folder, 'companion.json');
const leases = new Map();
let streams = 0;
let lastLease = 0;
let names = 0;
const told = [];

const json = (response, body) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

function lease(request, response) {
  if (request.headers['x-pageside-plugin-token'] !== 'plugin-token') {
    response.writeHead(401).end('{}');
    return;
  }
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const id = ++lastLease;
    const info = JSON.parse(body);
    leases.set(id, info);
    if (info.renews === undefined) names += 1;
    response.on('close', () => leases.delete(id));
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(`${JSON.stringify({ lease: info.renews ?? `lease-${names}` })}\n`);
  });
}

function tell(request, response) {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { lease, events } = JSON.parse(body);
    told.push(...events.map((event) => ({ ...event, lease })));
    response.writeHead(204).end();
  });
}

function consoleLink(request, response) {
  request.resume();
  request.on('end', () =>
    json(response, {
      url: `http://127.0.0.1:${server.address().port}/__pageside__/console#code`,
    }),
  );
}

function stream(response) {
  streams += 1;
  response.on('close', () => {
    streams -= 1;
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: hello\ndata: {}\n\n');
}

function echo(request, response) {
  let bytes = 0;
  request.on('data', (chunk) => {
    bytes += chunk.length;
  });
  request.on('end', () =>
    json(response, { method: request.method, url: request.url, headers: request.headers, bytes }),
  );
}

function breakOff(response) {
  response.write('half an answer');
  setImmediate(() => response.destroy());
}

const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://companion');
  if (pathname === '/health') json(response, { service: 'pageside', pid: process.pid, projectId });
  else if (pathname === '/fake/state')
    json(response, { leases: [...leases.values()], streams, told });
  else if (pathname === '/__pageside__/plugin/lease') lease(request, response);
  else if (pathname === '/__pageside__/plugin/tell') tell(request, response);
  else if (pathname === '/__pageside__/plugin/console') consoleLink(request, response);
  else if (pathname === '/__pageside__/page/stream') stream(response);
  else if (pathname === '/__mcp__/break-off') breakOff(response);
  else echo(request, response);
});

const port = process.argv.includes('--port') ? Number(option('--port')) : 0;
server.listen(port, '127.0.0.1', () => {
  mkdirSync(folder, { recursive: true });
  const content = {
    service: 'pageside',
    protocol: 1,
    version: '0.0.0',
    pid: process.pid,
    startTime: Date.now() / 1000,
    port: server.address().port,
    project,
    pageToken: 'page-token',
    pluginToken: 'plugin-token',
    agentToken: 'agent-token',
  };
  writeFileSync(`${record}.new`, JSON.stringify(content), { mode: 0o600 });
  renameSync(`${record}.new`, record);
});

process.on('SIGTERM', () => {
  rmSync(record, { force: true });
  process.exit(0);
});
