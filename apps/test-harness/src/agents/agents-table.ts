import type { AgentResult } from './agents.ts';

/** Scenarios down, programs across, and below what was skipped, counted. */
export function agentsTable(results: readonly AgentResult[]): string {
  const agents = [...new Set(results.map(({ agent, version }) => `${agent} ${version}`))];
  const scenarios = [...new Set(results.map(({ scenario }) => scenario))];
  const rows = scenarios.map((scenario) => [
    scenario,
    ...agents.map((agent) =>
      markOf(results.find((row) => `${row.agent} ${row.version}` === agent && row.scenario === scenario)),
    ),
  ]);
  return `${[...tableLines([['', ...agents], ...rows]), '', ...skippedLines(results)].join('\n')}\n`;
}

function markOf(result: AgentResult | undefined): string {
  if (result === undefined || result.skipped !== null) return '–';
  return result.holds ? '✓' : '✗';
}

function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function skippedLines(results: readonly AgentResult[]): readonly string[] {
  const skipped = new Map(
    results.flatMap(({ agent, skipped }) => (skipped === null ? [] : [[agent, skipped] as const])),
  );
  const run = results.filter((row) => row.skipped === null);
  const held = run.filter(({ holds }) => holds).length;
  return [
    ...[...skipped].map(([agent, reason]) => `skipped: ${agent}: ${reason}`),
    `${held} of ${run.length} hold; ${new Set(run.map(({ agent }) => agent)).size} programs run, ${skipped.size} skipped`,
  ];
}
