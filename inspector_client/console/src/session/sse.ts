export interface ServerEvent {
  name: string;
  data: string;
}

/** Reads an event stream piece by piece, wherever it is cut; `id` and `retry` mean nothing here. */
export function createEventParser(tell: (event: ServerEvent) => void): (piece: string) => void {
  let rest = '';
  let name = '';
  let data: string[] = [];

  function line(text: string): void {
    if (text === '') {
      if (data.length) tell({ name: name || 'message', data: data.join('\n') });
      name = '';
      data = [];
      return;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(text) ?? [];
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
  }

  return (piece) => {
    rest += piece;
    // A last CR may be half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    lines.forEach(line);
  };
}
