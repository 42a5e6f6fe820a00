import { CHANNEL } from './contract.ts';
import type { Companion } from './registry.ts';

/** Prints the MCP endpoint under Vite's URLs, once both are known. */
export function createAnnouncer(info: (line: string) => void, colors: boolean) {
  const paint = (code: number, text: string) => (colors ? `\x1b[${code}m${text}\x1b[39m` : text);
  const bold = (text: string) => (colors ? `\x1b[1m${text}\x1b[22m` : text);
  let endpoint: string | null = null;
  let printed: string | null = null;
  let mayPrint = false;

  function print(): void {
    if (!mayPrint || endpoint === null || endpoint === printed) return;
    printed = endpoint;
    const arrow = `  ${paint(32, '➜')}  `;
    info(`${arrow}${bold('Pageside')}: ${paint(36, endpoint)}`);
    info(`${arrow}${bold('Agent')}:    claude mcp add --transport http pageside ${endpoint}`);
  }

  return {
    /** Vite's own URLs stand there now. */
    urlsPrinted(): void {
      mayPrint = true;
      printed = null;
      print();
    },
    companionReady({ host, port }: Companion): void {
      endpoint = `http://${host.includes(':') ? `[${host}]` : host}:${port}${CHANNEL.mcp}`;
      print();
    },
  };
}
