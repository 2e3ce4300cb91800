import stringWidth from 'fast-string-width';
import pc from 'picocolors';

/** One thing that the demo shows. */
export interface DemoRow {
  readonly what: string;
  readonly wanted: string;
  readonly seen: string;
  readonly holds: boolean;
}

/** The rows side by side, so that a glance tells. */
export function printTable(rows: readonly DemoRow[]): void {
  const width = (pick: (row: DemoRow) => string): number => Math.max(...rows.map((row) => stringWidth(pick(row))));
  const [whatWidth, wantedWidth] = [width((row) => row.what), width((row) => row.wanted)];
  for (const row of rows) {
    const mark = row.holds ? pc.green('✓') : pc.red('✗');
    process.stdout.write(
      `${mark} ${row.what.padEnd(whatWidth)}  ${pc.dim('wanted')} ${row.wanted.padEnd(wantedWidth)}  ${pc.dim('seen')} ${row.seen}\n`,
    );
  }
}
