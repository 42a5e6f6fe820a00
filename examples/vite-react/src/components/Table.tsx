import type { ReactNode } from 'react';

interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  number?: boolean;
}

interface TableProps<Row> {
  rows: Row[];
  rowKey: (row: Row) => string;
  columns: Column<Row>[];
}

export function Table<Row>({ rows, rowKey, columns }: TableProps<Row>) {
  const align = ({ number }: Column<Row>) => (number ? { className: 'number' } : {});
  return (
    <table className="table">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" {...align(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column) => (
              <td key={column.title} {...align(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
