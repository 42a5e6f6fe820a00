// Running a script in the page's own world: as an expression; else as statements with a value; else as a body with `return`.
import { LIMITS } from '../../shared/contract';
import { CommandError } from '../rules/failure';
import type { Remote } from '../rules/told';
import { type Call, isGone } from './calls';
import type { Page } from './page';
import { type Answer, type Details, jsonOf, Thrown, unwrapped } from './results';

const PLACE = /<anonymous>:(\d+):(\d+)/;
const SYNTAX = /^(Uncaught )?SyntaxError/;
const LONGEST_THROWN = 2000;
/** The queue's own limit ends it. */
const FOREVER = { limitMs: 2_000_000_000 };

interface Serialised {
  value?: unknown;
  tooLarge?: string;
}

/** The value, as much of it as JSON can say; throws what it threw. What it sets off in the page is waited for. */
export async function evaluate(page: Page, call: Call, code: string): Promise<unknown> {
  const { activity } = page;
  await activity.loaded();
  await activity.arm(call);
  try {
    const value = await run(page, call, code);
    if (!page.dialog) await activity.settle(call);
    return value;
  } catch (error) {
    if (!isGone(error)) throw error;
    throw new CommandError(
      'EXECUTION_ERROR',
      'The page went to another document before the script came to its end.',
    );
  }
}

/** A SyntaxError: nothing of it has run. */
class NotOfThisForm extends Error {
  constructor(readonly failure: CommandError) {
    super(failure.message);
  }
}

async function run(page: Page, call: Call, code: string): Promise<unknown> {
  const script = createScript(page, call, code);
  const unlessOfAnotherForm = (error: unknown) => {
    if (!(error instanceof NotOfThisForm)) throw error;
    return error.failure;
  };
  const first = await script.expression().then(done, unlessOfAnotherForm);
  if ('value' in first) return first.value;
  const second = await script.statements().then(done, unlessOfAnotherForm);
  if ('value' in second) return second.value;
  const third = await script.body().then(done, unlessOfAnotherForm);
  if ('value' in third) return third.value;
  // With a `return` it was meant as a body.
  throw /\breturn\b/i.test(second.message) ? third : second;
}

const done = (value: unknown) => ({ value });

/** Its own first line is the second one of what is run, so that places in errors fit. */
function createScript(page: Page, call: Call, code: string) {
  const lines = code.split('\n').length;

  async function called(body: string): Promise<unknown> {
    const tracker = page.activity.tracker();
    const run = `(async function () { ${body} }).apply(globalThis)`;
    // In the tracker's reach, which the script itself does not have: what it starts belongs to it.
    const enter = tracker ? 'this.enter?.(); ' : '';
    const serialise = await page.inPage.script('serialise');
    const params = {
      objectId: tracker ?? (await globalOf(call)),
      functionDeclaration: `async function () { ${enter}return (${serialise})(await ${run}) }`,
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
    };
    return checked(await unwrap(await call<Answer>('Runtime.callFunctionOn', params, FOREVER)));
  }

  async function unwrap(answer: Answer): Promise<Remote> {
    try {
      return unwrapped(answer);
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      const { details } = error;
      if (SYNTAX.test(error.message) && !details.stackTrace?.callFrames?.length)
        throw new NotOfThisForm(failed(`${error.message}${placeOf(details)}`));
      throw failed(`${ownPlaces(error.message)}${await fieldsOf(details.exception)}`);
    }
  }
  const placeOf = ({ lineNumber = 0, columnNumber = 0 }: Details): string =>
    lineNumber >= 1 && lineNumber <= lines
      ? `\n    at <script>:${lineNumber}:${columnNumber + 1}`
      : '';
  const ownPlaces = (message: string): string =>
    message
      .split('\n')
      .flatMap((line) => {
        const place = PLACE.exec(line);
        if (!place) return [line];
        const row = Number(place[1]) - 1;
        const isOwn = row >= 1 && row <= lines;
        return isOwn ? [line.replace(PLACE, `<script>:${row}:${place[2]}`)] : [];
      })
      .join('\n');
  /** Of an object that is no error, for its description is its class alone. */
  async function fieldsOf(thrown: Remote | undefined): Promise<string> {
    if (thrown?.type !== 'object' || thrown.subtype === 'error' || !thrown.objectId) return '';
    return ` ${JSON.stringify(await toJson(thrown))}`.slice(0, LONGEST_THROWN);
  }
  async function toJson(remote: Remote): Promise<unknown> {
    const { objectId, value, unserializableValue } = remote;
    if (!objectId) return value ?? unserializableValue ?? null;
    const serialise = await page.inPage.script('serialise');
    const functionDeclaration = `function () { return (${serialise})(this) }`;
    const params = { objectId, functionDeclaration, returnByValue: true };
    return checked(unwrapped(await call<Answer>('Runtime.callFunctionOn', params)));
  }

  return {
    expression: () => called(`return (0,\n${code}\n)`),
    body: () => called(`\n${code}\n`),
    async statements() {
      const params = {
        expression: `\n${code}`,
        awaitPromise: true,
        userGesture: true,
        replMode: true,
      };
      return toJson(await unwrap(await call<Answer>('Runtime.evaluate', params, FOREVER)));
    },
  };
}

async function globalOf(call: Call): Promise<string> {
  const answer = await call<Answer>('Runtime.evaluate', { expression: 'globalThis' });
  return unwrapped(answer).objectId ?? '';
}

const failed = (message: string) => new CommandError('EXECUTION_ERROR', message);

function checked(remote: Remote): unknown {
  const { value, tooLarge } = jsonOf({ result: remote }) as Serialised;
  const size = new TextEncoder().encode(JSON.stringify(value ?? null)).length;
  const why =
    tooLarge ??
    (size > LIMITS.resultBytes
      ? `The result has ${size} bytes; ${LIMITS.resultBytes} is the limit.`
      : '');
  if (why) throw new CommandError('RESULT_TOO_LARGE', why);
  return value ?? null;
}
