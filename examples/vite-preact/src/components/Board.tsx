import type { ComponentChildren } from 'preact';

interface BoardProps<Row> {
  rows: Row[];
  rowKey: (row: Row) => string;
  render: (row: Row) => ComponentChildren;
}

export function Board<Row>({ rows, rowKey, render }: BoardProps<Row>) {
  return (
    <ol class="board">
      {rows.map((row) => (
        <li class="row" key={rowKey(row)}>
          {render(row)}
        </li>
      ))}
    </ol>
  );
}
