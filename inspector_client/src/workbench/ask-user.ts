import type { Tool } from '../calls';
import { ToolError } from '../failure';
import { h, on, textButton } from '../ui/dom';
import { type CardContent, createRequestCard } from './request-card';
import type { Requests } from './requests';
import { requestTexts } from './texts';
import { createWords } from './words';

export interface AskArgs {
  agent?: string;
  reason?: string;
  ticket?: string;
  question?: string;
}

interface Said {
  answer: string;
  /** Of the option that was chosen. */
  index?: number;
}

/** The user answers in words of his own, or chooses one of the options. */
export function createAskUser(requests: Requests): Tool {
  return async (args: AskArgs & { options?: string[] }, signal) => {
    const { agent, reason, question = '', options = [], ticket } = args;
    const { content, keys } = createQuestion(options.map(String), ticket);
    const card = createRequestCard<Said>({ agent, reason, title: question, content, keys });
    return answered(await requests.show(card, signal));
  };
}

function createQuestion(options: string[], ticket: string | undefined) {
  let choose: (index: number) => void = () => undefined;

  function content(answer: (said: Said) => void): CardContent {
    choose = (index) => answer({ answer: options[index] ?? '', index });
    const placeholder = options.length ? requestTexts.otherwise : requestTexts.yourAnswer;
    const words = createWords(placeholder, ticket, (text) => text && answer({ answer: text }));
    const list = h('ol', 'options', ...options.map((option, index) => entry(option, index)));
    list.hidden = !options.length;
    const send = textButton(requestTexts.send, words.send, 'primary');
    return { body: [list, words.element], actions: [send] };
  }
  function entry(option: string, index: number): HTMLElement {
    const digit = h('kbd', { 'aria-hidden': true }, digitOf(index));
    const button = h('button', { type: 'button', class: 'option' }, digit, h('span', {}, option));
    return h('li', {}, on(button, { click: () => choose(index) }));
  }
  function keys({ key }: KeyboardEvent): boolean {
    const index = options.findIndex((_, each) => digitOf(each) === key);
    if (index >= 0) choose(index);
    return index >= 0;
  }
  return { content, keys };
}

/** 1 to 9, and 0 for the tenth. */
const digitOf = (index: number) => String((index + 1) % 10);

/** What was answered; raises that the user declined. */
export function answered<T>(said: T | null): T {
  if (said === null)
    throw new ToolError('CANCELLED_BY_USER', 'The user did not want to answer now.');
  return said;
}
