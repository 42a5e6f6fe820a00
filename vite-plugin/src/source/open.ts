import { stripVTControlCharacters } from 'node:util';
import type { ViteDevServer } from 'vite';
import { FIXES } from '../contract.ts';
import type { Refusal } from '../http/errors.ts';
import type { Handler } from '../http/proxy.ts';
import { createJsonRoute } from './json-route.ts';
import { whole } from './places.ts';
import { projectFile } from './project-file.ts';

const ENDPOINT = '/__open-in-editor';

/** One at a time, so that each hears its own complaints only. */
let turn: Promise<unknown> = Promise.resolve();

/** Answers `POST open`: the file, in the editor of whoever runs the dev server. */
export function createOpener(server: ViteDevServer, projectRoot: string): Handler {
  const { logger, root } = server.config;
  return createJsonRoute(logger, 'The editor could not be started.', async (fields) => {
    const found = projectFile(fields.file, [projectRoot, root]);
    if ('refusal' in found) return found;
    const [line, column] = [whole(fields.line) || 1, whole(fields.column) || 1];
    const opening = turn.then(() => open(server, [found.path, line, column].join(':')));
    turn = opening.catch(() => null);
    const refusal = await opening;
    return refusal ? { refusal } : { answer: { file: fields.file, line, column } };
  });
}

/** By Vite's own endpoint, wherever the server is mounted: its handler is called, not its address. */
async function open({ middlewares }: ViteDevServer, place: string): Promise<Refusal | null> {
  const endpoint = middlewares.stack.find(({ route }) => route === ENDPOINT)?.handle;
  if (typeof endpoint !== 'function')
    return cannotOpen(501, 'This dev server has no endpoint that opens editors.');
  const request = { url: `/?file=${encodeURIComponent(place)}` };
  let failure = '';
  const complaints = await complaintsOf(() =>
    Reflect.apply(endpoint, middlewares, [
      request,
      {
        set statusCode(status: number) {
          failure = `Vite's endpoint answered ${status}`;
        },
        end: (text = '') => {
          if (failure) failure += `: ${text}`;
        },
      },
    ]),
  );
  const why = failure || complaints;
  return why ? cannotOpen(501, why) : null;
}

/** The endpoint says only in the terminal that there is no editor, or no such command; at once or in the next turn. */
async function complaintsOf(action: () => unknown): Promise<string> {
  const { log } = console;
  const heard: string[] = [];
  console.log = (...words: unknown[]) => {
    heard.push(stripVTControlCharacters(words.join(' ')));
    log(...words);
  };
  try {
    action();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    console.log = log;
  }
  const from = heard.findIndex((line) => line.startsWith('Could not open '));
  return from < 0 ? '' : heard.slice(from).filter(Boolean).join(' ');
}

function cannotOpen(status: number, message: string): Refusal {
  return {
    status,
    code: 'NO_EDITOR',
    message,
    fix: FIXES.NO_EDITOR,
  };
}
