// The web console: what goes on in the companion, and a form for each tool.
import './no-eval';
import { start } from './app';

/** Tools by what they are about; the build reads them from the contract. */
declare const TOOLSETS: Record<string, string[]>;

await start(TOOLSETS);
document.documentElement.dataset.ready = '';
