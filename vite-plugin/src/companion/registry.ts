import { readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { CHANNEL } from '../contract.ts';

const HEALTH_LIMIT_MS = 1_500;
const HEALTH_LIMIT_BYTES = 65_536;

/** A companion that answered its health check, and what is needed to talk to it. */
export interface Companion {
  host: string;
  port: number;
  pid: number;
  version: string;
  pageToken: string;
  pluginToken: string;
  /** Unknown when the companion's registry is out of reach. */
  agentToken: string | undefined;
}

interface Health {
  pid: number;
  version: string;
  projectId: string | undefined;
}

/** Where one project's registry files are. */
export function registryFiles(state: string, projectId: string) {
  const folder = path.join(state, projectId);
  return {
    folder,
    record: path.join(folder, CHANNEL.registry.file),
    lock: path.join(folder, CHANNEL.registry.lock),
    log: path.join(folder, 'start.log'),
  };
}

export type RegistryFiles = ReturnType<typeof registryFiles>;

/** The project's companion, if the registry names one that really answers. */
export async function findRegistered(file: string): Promise<Companion | null> {
  const record = readRecord(file);
  if (!record) return null;
  const health = await checkHealth(record.host, record.port);
  return health?.pid === record.pid ? record : null;
}

/**
 * Removes the record of a companion that nobody listens for any more. One that was killed leaves it behind, and its
 * process may still be listed, as a zombie, when the next one looks whether it is alone.
 */
export async function removeDeadRecord(file: string): Promise<void> {
  const record = readRecord(file);
  if (record && !(await isListening(record.host, record.port))) rmSync(file, { force: true });
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

export function readRecord(file: string): Companion | null {
  const record = readJson(file);
  if (record?.service !== CHANNEL.service || record.protocol !== CHANNEL.protocol) return null;
  const { pid, port, version, pageToken, pluginToken, agentToken } = record;
  const complete =
    typeof pid === 'number' &&
    typeof port === 'number' &&
    typeof pageToken === 'string' &&
    typeof pluginToken === 'string';
  if (!complete) return null;
  return {
    host: '127.0.0.1',
    port,
    pid,
    version: String(version ?? ''),
    pageToken,
    pluginToken,
    agentToken: typeof agentToken === 'string' ? agentToken : undefined,
  };
}

/** The content of a JSON file that holds an object; null for a missing or half-written one. */
export function readJson(file: string): Record<string, unknown> | null {
  try {
    return asRecord(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

export function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

export async function checkHealth(host: string, port: number): Promise<Health | null> {
  const body = await getText(host, port, CHANNEL.routes.health);
  if (body === null) return null;
  try {
    const health = asRecord(JSON.parse(body));
    if (health?.service !== CHANNEL.service || typeof health.pid !== 'number') return null;
    const { pid, version, projectId } = health;
    return {
      pid,
      version: String(version ?? ''),
      projectId: typeof projectId === 'string' ? projectId : undefined,
    };
  } catch {
    return null;
  }
}

function getText(host: string, port: number, route: string): Promise<string | null> {
  return new Promise((resolve) => {
    const headers = { host: `127.0.0.1:${port}` };
    const request = http.get({ host, port, path: route, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > HEALTH_LIMIT_BYTES) request.destroy();
        else chunks.push(chunk);
      });
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      response.on('close', () => resolve(null));
    });
    const limit = setTimeout(() => request.destroy(), HEALTH_LIMIT_MS);
    request.on('error', () => resolve(null));
    request.on('close', () => clearTimeout(limit));
  });
}
