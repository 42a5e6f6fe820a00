const REDACTED = '[redacted]';
const SECRET_NAME =
  /passw|passphrase|secret|token|api[-_]?key|credential|csrf|xsrf|nonce|\bauth|otp\b|\bcvc|\bcvv|card-?number/i;
const SECRET_TYPES = ['password', 'hidden'];
const SECRET_AUTOCOMPLETE = /password|one-time-code|^cc-/i;

/** True for fields whose value is nobody else's business. */
export function isSecretField(element: Element): boolean {
  if (element.localName !== 'input' && element.localName !== 'textarea') return false;
  const attribute = (name: string) => element.getAttribute(name) ?? '';
  return (
    SECRET_TYPES.includes(attribute('type').toLowerCase()) ||
    SECRET_AUTOCOMPLETE.test(attribute('autocomplete')) ||
    SECRET_NAME.test(`${attribute('name')} ${attribute('id')}`)
  );
}

export function redactAttribute(element: Element, name: string, value: string): string {
  if (name === 'value' && isSecretField(element)) return REDACTED;
  // <meta name="csrf-token" content="…">
  if (name === 'content' && SECRET_NAME.test(element.getAttribute('name') ?? '')) return REDACTED;
  if (name !== 'name' && name !== 'id' && !name.startsWith('aria-') && SECRET_NAME.test(name))
    return value === '' ? value : REDACTED;
  return ['href', 'src', 'action', 'formaction'].includes(name) ? redactUrl(value) : value;
}

export function redactUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#@]+@/i, '$1')
    .replace(/([?&#])([^=&#]+)=([^&#]+)/g, (whole, mark: string, name: string) =>
      SECRET_NAME.test(name) ? `${mark}${name}=${REDACTED}` : whole,
    );
}

/** Takes what was typed into secret fields in or at `element` out of a text. */
export function scrub(text: string, element: Element): string {
  const fields = [element, ...element.querySelectorAll('input, textarea')].filter(isSecretField);
  return fields.reduce((clean, field) => {
    const { value } = field as HTMLInputElement;
    return value ? clean.replaceAll(value, REDACTED) : clean;
  }, text);
}
