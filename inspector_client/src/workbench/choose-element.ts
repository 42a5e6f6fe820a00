import { clip } from '../basics';
import type { Tool } from '../calls';
import { contextOf } from '../element/context';
import { collapsed, scrub } from '../element/redact';
import { titleOf } from '../element/wording';
import { ToolError } from '../failure';
import type { Picked } from '../picking';
import type { ElementContext } from '../protocol';
import { h, on, textButton } from '../ui/dom';
import { texts } from '../ui/texts';
import type { WorkbenchParts } from '../workbench';
import { type AskArgs, answered } from './ask-user';
import { type Candidate, candidateOf, createLetters, type Letters, search } from './letters';
import { type CardContent, createRequestCard } from './request-card';
import type { Requests } from './requests';
import { requestTexts } from './texts';
import { createWords } from './words';

/** A page that was just loaded may not show them yet. */
const APPEAR_MS = 2000;
const LOOK_MS = 100;
const LABEL_CHARS = 60;

type Choice =
  | { status: 'chosen'; candidate: Candidate }
  | { status: 'none'; answer: string }
  | { status: 'other'; element: Element };

type ChooseArgs = AskArgs & { candidates?: string[] };
type Parts = Pick<WorkbenchParts, 'picking' | 'details' | 'add'>;

/** The user says which of several elements is meant: by its letter, none of them, or another one that he points at. */
export function createChooseElement(requests: Requests, parts: Parts): Tool {
  return async (args: ChooseArgs, signal) => {
    const { agent, reason, question = '' } = args;
    const candidates = (args.candidates ?? []).map((each, index) =>
      candidateOf(String(each), index),
    );
    await untilThere(candidates, signal);
    const choice = createChoice(candidates, args, parts, signal);
    const card = createRequestCard<Choice>({ agent, reason, title: question, ...choice });
    parts.add(choice.letters.element);
    try {
      const chosen = answered(await requests.show(card, signal));
      return { ...(await told(chosen, parts)), ...missing(candidates) };
    } finally {
      choice.letters.show(false);
      choice.letters.element.remove();
    }
  };
}

function createChoice(
  candidates: Candidate[],
  { agent = texts.someAgent, question, ticket }: ChooseArgs,
  { picking }: Parts,
  signal: AbortSignal,
) {
  let answer: (choice: Choice) => void = () => undefined;
  const choose = (candidate: Candidate) => {
    if (candidate.element) answer({ status: 'chosen', candidate });
  };
  const redraw = () => {
    for (const { draw } of entries) draw();
  };
  const list = h('ol', 'options short');
  const cardBox = () => (list.closest('.request') ?? list).getBoundingClientRect();
  const letters = createLetters(candidates, choose, redraw, cardBox);
  const entries = candidates.map((each) => createEntry(each, letters, () => choose(each)));

  /** The card waits meanwhile; if he points at nothing, it is there again. */
  async function pickAnother(): Promise<void> {
    const ask = { mode: 'element' as const, agent, reason: question };
    const picked = await picking.forAgent(ask, signal).catch(() => null);
    const element = picked && elementIn(picked);
    if (element) answer({ status: 'other', element });
  }
  function content(give: (choice: Choice) => void): CardContent {
    answer = give;
    const none = (text: string) => answer({ status: 'none', answer: text });
    const words = createWords(requestTexts.noneWords, ticket, none);
    list.append(...entries.map(({ button }) => h('li', {}, button)));
    return {
      body: [list, words.element],
      actions: [
        textButton(requestTexts.another, () => void pickAnother()),
        textButton(requestTexts.none, words.send, 'primary'),
      ],
    };
  }
  function keys(event: KeyboardEvent): boolean {
    const candidate = candidates.find(({ letter }) => letter === letterOf(event));
    if (candidate) choose(candidate);
    return !!candidate;
  }
  return { content, keys, isEverywhere: true, letters, shown: letters.show };
}

/** The first of several; of an area, none. */
function elementIn(picked: Picked): Element | undefined {
  if (picked.mode === 'area') return undefined;
  return picked.mode === 'elements' ? picked.elements[0] : picked.element;
}

interface Entry {
  button: HTMLButtonElement;
  draw(): void;
}

function createEntry(candidate: Candidate, letters: Letters, click: () => void): Entry {
  const words = h('span');
  const props = { type: 'button', class: 'option', title: candidate.selector };
  const button = h('button', props, h('kbd', {}, candidate.letter), words);
  const point = () => letters.point(candidate);
  // The release of Tab comes to what has the focus since.
  on(button, { click, pointerover: point, pointerout: () => letters.point(null), keyup: point });
  function draw(): void {
    const label = labelOf(candidate);
    button.disabled = !candidate.element;
    if (words.textContent !== label) words.textContent = label;
  }
  draw();
  return { button, draw };
}

function labelOf({ element, selector, matches }: Candidate): string {
  if (!element) return requestTexts.notThere(selector);
  const words = clip(readOf(element) || titleOf(element), LABEL_CHARS);
  const more = matches > 1 ? requestTexts.firstOf(matches) : '';
  return [`<${element.localName}>`, words, more].filter(Boolean).join(' · ');
}

/** With a space between its blocks, as it is read. */
function readOf(element: Element): string {
  const { innerText, textContent }: Partial<HTMLElement> = element;
  return scrub(collapsed(innerText ?? textContent), element);
}

/** What the key types, or, where that is no Latin letter, what stands on it. */
function letterOf({ key, code, altKey, ctrlKey, metaKey, type }: KeyboardEvent): string {
  if (type !== 'keydown' || altKey || ctrlKey || metaKey) return '';
  return /^[a-z]$/i.test(key) ? key.toUpperCase() : (/^Key(\w)$/.exec(code)?.[1] ?? '');
}

/** Raises `INVALID_SELECTOR`, or `ELEMENT_NOT_FOUND` if after a while there is none of them. */
async function untilThere(candidates: Candidate[], signal: AbortSignal): Promise<void> {
  const until = performance.now() + APPEAR_MS;
  while (!signal.aborted) {
    for (const each of candidates) search(each);
    if (candidates.some(({ element }) => element)) return;
    if (performance.now() > until) {
      const message = `None of the ${candidates.length} candidates is on the page.`;
      throw new ToolError('ELEMENT_NOT_FOUND', message, missing(candidates));
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function told(choice: Choice, { details }: Parts): Promise<object> {
  const seen = (element: Element): Promise<ElementContext> => contextOf(element, details.explain);
  if (choice.status === 'none') return choice;
  if (choice.status === 'other') return { status: 'other', element: await seen(choice.element) };
  const { letter, index, selector, matches, element } = choice.candidate;
  if (!element) throw new ToolError('ELEMENT_NOT_FOUND', requestTexts.notThere(selector));
  return { status: 'chosen', letter, index, selector, matches, element: await seen(element) };
}

function missing(candidates: Candidate[]): object {
  const without = candidates.filter(({ element }) => !element);
  return without.length
    ? { missing: without.map(({ letter, selector }) => ({ letter, selector })) }
    : {};
}
