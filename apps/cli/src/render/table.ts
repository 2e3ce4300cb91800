import stringWidth from 'fast-string-width';

/** Rows in aligned columns, two spaces apart; widths are what a terminal shows, not string lengths. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** An amount of bytes as a person says it. */
export function byteCount(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const amount = bytes / 1024 ** power;
  return `${power === 0 ? amount : amount.toFixed(1)} ${units[power] ?? ''}`;
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - stringWidth(cell)));
}
