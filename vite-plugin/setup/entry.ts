// `node edit.mjs <file name> [key]`: the config on stdin, what became of it as JSON on stdout.
import { text } from 'node:stream/consumers';
import { addPlugin } from './edit.ts';

const [file = '', under] = process.argv.slice(2);
process.stdout.write(JSON.stringify(addPlugin(await text(process.stdin), file, under)));
