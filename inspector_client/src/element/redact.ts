export const REDACTED = '[redacted]';
const SECRET =
  /passw|passphrase|secret|token|api[-_]?key|credential|[cx]srf|nonce|\bauth(?!or(?!i[sz]))|one-time|otp\b|\bcc-|cvc|cvv/i;

const FIELDS = 'input,textarea,select,output,[contenteditable]';

/** A property of that name holds what is nobody else's business, if it is a text. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** True for fields whose value is nobody else's business. */
export function isSecretField(element: Element): boolean {
  if (!element.matches(FIELDS)) return false;
  const about = ['type', 'name', 'id', 'autocomplete'].map((name) => element.getAttribute(name));
  return about[0] === 'hidden' || SECRET.test(about.join(' '));
}

export function redactAttribute(element: Element, name: string, value: string): string {
  const secret =
    (name === 'value' && isSecretField(element)) ||
    // <meta name="csrf-token" content="…">
    (name === 'content' && SECRET.test(element.getAttribute('name') ?? '')) ||
    (name.startsWith('data-') && SECRET.test(name)) ||
    name === 'nonce';
  if (secret && value) return REDACTED;
  return /^(href|src|action|formaction)$/.test(name) ? redactUrl(value) : value;
}

export function redactUrl(url: string): string {
  return url
    .replace(/^(\w[\w+.-]*:\/\/)[^/?#@]+@/, '$1')
    .replace(/([?&#]([^=&#]+)=)[^&#]+/g, (whole, start: string, name: string) =>
      SECRET.test(name) ? start + REDACTED : whole,
    );
}

export function collapsed(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}

/** Takes what stands in secret fields in or at `element` out of a text with single blanks. */
export function scrub(text: string, element: Element): string {
  const fields = [element, ...element.querySelectorAll(FIELDS)].filter(isSecretField);
  return fields
    .flatMap((field) => [(field as HTMLInputElement).value, field.textContent].map(collapsed))
    .reduce((clean, value) => (value ? clean.replaceAll(value, REDACTED) : clean), text);
}
