// Makes docs/run.svg, the picture of a run in the README, from two real runs of the built command line on the shipped example.
// By hand, after a build: `node scripts/record-demo.mjs`. Pauses are cut to a second; nothing else is staged.
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTempProject, startCli } from '../apps/test-harness/dist/index.js';

const PICTURE = fileURLToPath(new URL('../docs/run.svg', import.meta.url));
const TASK = '# Make the test suite pass\n\nOne test of this project fails. Mend the code, not the test.\n';
const SCENES = [
  { comment: 'three agents: one implements, one verifies, one reports', agents: {}, flags: [], exitCode: 0 },
  {
    comment: 'the same with a verifier that edits source and adds a git alias',
    agents: { verifier: { as: 'meddle' } },
    flags: ['--quiet'],
    exitCode: 1,
  },
];

const COLUMNS = 144;
const CHARACTER_WIDTH = 7.8;
const LINE_HEIGHT = 19;
const MARGIN = 18;
const TITLE_HEIGHT = 34;
const MAX_PAUSE_SECONDS = 1;
const SCENE_PAUSE_SECONDS = 2.5;

const COLORS = {
  31: '#ff7b72',
  32: '#56d364',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#56d4dd',
  90: '#8b949e',
};
const ESCAPE = '\u001b';
const STYLE_CODES = new RegExp(`(${ESCAPE}\\[[\\d;]*m)`);
const PLAIN = { bold: false, dim: false, color: '' };

const scenes = [];
for (const scene of SCENES) scenes.push(await record(scene));
await writeFile(PICTURE, svgOf(layOut(scenes)));
process.stdout.write(`${PICTURE}\n`);

/** One run: its command line, then every line that it printed with the second at which it came. */
async function record({ comment, agents, flags, exitCode }) {
  const project = await makeTempProject({ agents });
  try {
    await writeFile(join(project.root, 'TASK.md'), TASK);
    const environment = { ...project.environment, FORCE_COLOR: '1' };
    const args = ['run', 'start', 'TASK.md', ...flags];
    process.stderr.write(`recording: bailiwick ${args.join(' ')}\n`);
    const startedMs = performance.now();
    const running = startCli({ ...project, environment }, args);
    const printed = [];
    for (const stream of [running.stdout, running.stderr])
      stream.on('data', (chunk) => printed.push({ at: (performance.now() - startedMs) / 1000, text: String(chunk) }));
    const result = await running;
    if (result.exitCode !== exitCode) throw new Error(`exit ${result.exitCode}, not ${exitCode}: ${result.stderr}`);
    const shown = printed.map((row) => ({ ...row, text: row.text.replaceAll(dirname(project.root), '~') }));
    const command = [
      `\u001b[2m# ${comment}\u001b[22m`,
      `\u001b[32m$\u001b[39m \u001b[1mbailiwick ${args.join(' ')}\u001b[22m`,
    ];
    return [...command.map((text) => ({ at: 0, text })), ...shown.flatMap(linesOf)];
  } finally {
    await startCli(project, ['team', 'stop']);
    await project.remove();
  }
}

function linesOf({ at, text }) {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ at, text: line }));
}

/** Scenes below each other, times one after another, long pauses cut, long lines wrapped as a terminal does. */
function layOut(recorded) {
  const rows = [];
  let clock = 0;
  for (const [index, lines] of recorded.entries()) {
    if (index > 0) {
      clock += SCENE_PAUSE_SECONDS;
      rows.push({ at: clock, spans: [] });
    }
    let before = 0;
    for (const { at, text } of lines) {
      clock += Math.min(at - before, MAX_PAUSE_SECONDS);
      before = at;
      for (const spans of wrap(parseAnsi(text))) rows.push({ at: clock, spans });
    }
  }
  return rows;
}

/** A line with SGR codes (bold, dim, eight colours) → characters with their style. */
function parseAnsi(line) {
  const characters = [];
  let style = PLAIN;
  for (const part of line.split(STYLE_CODES)) {
    const codes = part.startsWith(`${ESCAPE}[`) ? part.slice(2, -1).split(';').map(Number) : undefined;
    if (codes === undefined) for (const character of part) characters.push({ character, style });
    else style = codes.reduce(applyCode, style);
  }
  return characters;
}

function applyCode(style, code) {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  return code === 39 ? { ...style, color: '' } : { ...style, color: COLORS[code] ?? style.color };
}

/** Rows of at most COLUMNS characters, broken at a space where there is one; runs of one style become spans. */
function wrap(characters) {
  const rows = [];
  for (let rest = characters; ; ) {
    if (rest.length <= COLUMNS) return [...rows, spansOf(rest)];
    const space = rest.slice(0, COLUMNS).findLastIndex(({ character }) => character === ' ');
    const end = space > COLUMNS / 2 ? space + 1 : COLUMNS;
    rows.push(spansOf(rest.slice(0, end)));
    rest = [...Array.from('    ', (character) => ({ character, style: PLAIN })), ...rest.slice(end)];
  }
}

function spansOf(characters) {
  const spans = [];
  for (const [column, { character, style }] of characters.entries()) {
    const last = spans.at(-1);
    if (last !== undefined && last.style === style) last.text += character;
    else spans.push({ column, style, text: character });
  }
  return spans.filter(({ text }) => text.trim() !== '');
}

function svgOf(rows) {
  const width = Math.round(COLUMNS * CHARACTER_WIDTH + 2 * MARGIN);
  const height = TITLE_HEIGHT + rows.length * LINE_HEIGHT + 2 * MARGIN;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, index) => `<circle cx="${20 + index * 18}" cy="18" r="5.5" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">Two runs of bailiwick in a terminal: one is verified; in the other a verifier changes source and git configuration, and both are named</title>
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3; white-space: pre; }
.b { font-weight: 700; }
.d { fill-opacity: .6; }
.l { animation: appear 1ms linear backwards; }
@keyframes appear { from { opacity: 0; } to { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { .l { animation: none; } }
</style>
<rect width="${width}" height="${height}" rx="9" fill="#0d1117"/>
${dots.join('')}
${rows
  .map(lineOf)
  .filter((line) => line !== '')
  .join('\n')}
</svg>
`;
}

/** Each span at its own column and of its own length, so that columns stay aligned in whatever font there is. */
function lineOf({ at, spans }, index) {
  if (spans.length === 0) return '';
  const y = TITLE_HEIGHT + MARGIN + index * LINE_HEIGHT;
  const texts = spans.flatMap(({ column, style, text }) => {
    const words = [...text.matchAll(/\S+(?: \S+)*/g)];
    return words.map(({ 0: word, index: offset }) =>
      textOf(word, column + [...text.slice(0, offset)].length, { style, y }),
    );
  });
  return `<g class="l" style="animation-delay:${at.toFixed(2)}s">${texts.join('')}</g>`;
}

function textOf(word, column, { style, y }) {
  const names = [style.bold ? 'b' : '', style.dim ? 'd' : ''].filter((name) => name !== '').join(' ');
  const look = `${names === '' ? '' : ` class="${names}"`}${style.color === '' ? '' : ` style="fill:${style.color}"`}`;
  const x = (MARGIN + column * CHARACTER_WIDTH).toFixed(1);
  const length = ([...word].length * CHARACTER_WIDTH).toFixed(1);
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${look}>${escapeXml(word)}</text>`;
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
