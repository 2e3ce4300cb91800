import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runHosted } from './hosted-run.ts';
import { makePassingProject, makeProject, type TempProject } from './temp-project.ts';

function perform(project: TempProject, role: string, body?: string, headers?: Readonly<Record<string, string>>) {
  return runHosted({ speak: 'gemini' }, { cwd: project.root, prompt: project.prompt(role, body, headers) });
}

describe('roles', () => {
  it('a verifier says pass after it has run the test and seen it pass', async () => {
    const project = makePassingProject();
    const run = await perform(project, 'verifier');
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(readFileSync(project.resultPath, 'utf8'))).toEqual({
      schemaVersion: '1.0',
      verification: {
        verdict: 'pass',
        summary: '`exit 0` passes.',
        checks: [{ name: 'test', command: 'exit 0', exitCode: 0 }],
      },
    });
    expect(run.events).toContainEqual(expect.objectContaining({ type: 'tool_use', parameters: { command: 'exit 0' } }));
  });

  it('a verifier says fail, and ends well, after the test has failed; it changes nothing', async () => {
    const project = makeProject({ 'package.json': JSON.stringify({ name: 'failing', scripts: { test: 'exit 3' } }) });
    const run = await perform(project, 'verifier');
    expect(run.exitCode).toBe(0);
    const { verification } = JSON.parse(readFileSync(project.resultPath, 'utf8'));
    expect(verification).toMatchObject({ verdict: 'fail', checks: [{ command: 'exit 3', exitCode: 3 }] });
    expect(project.git('status', '--porcelain')).toBe('');
    expect(readFileSync(project.workerResultPath, 'utf8')).toMatch(/^# verifier\n/);
  });

  it('a verifier of a project without a test does not say pass', async () => {
    const project = makeProject({ 'README.md': 'nothing here\n' });
    await perform(project, 'verifier');
    const { verification } = JSON.parse(readFileSync(project.resultPath, 'utf8'));
    expect(verification).toMatchObject({ verdict: 'fail', checks: [] });
  });

  it('an analyst says what the tree is made of', async () => {
    const project = makeProject();
    expect((await perform(project, 'analyst')).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(project.resultPath, 'utf8'))).toEqual({
      schemaVersion: '1.0',
      analysis: { summary: '3 source files and 3 test files. The test command is `node --test`.' },
    });
  });

  it('a report writer reports what the prompt quotes of the workers, and no more', async () => {
    const project = makePassingProject();
    const verification = {
      verdict: 'pass',
      summary: 'All | well.',
      checks: [{ name: 't', command: 'make', exitCode: 0 }],
    };
    const implementation = { summary: 'Turned <= into <.', outOfPlanEdits: [{ file: 'NOTES.md', reason: 'a note' }] };
    const body = [
      '## Your duty',
      'Write a report.',
      '## Result of codex (implementer)',
      `\`\`\`json\n${JSON.stringify({ schemaVersion: '1.0', implementation }, null, 2)}\n\`\`\``,
      '## Result of claude (verifier)',
      `\`\`\`json\n${JSON.stringify({ schemaVersion: '1.0', verification })}\n\`\`\``,
    ].join('\n\n');
    expect((await perform(project, 'report-writer', body)).exitCode).toBe(0);
    const report = readFileSync(project.resultPath, 'utf8');
    expect(report).toContain('**Task:** Make the test pass');
    expect(report).toContain('| Result of codex (implementer) | done | Turned <= into <. |');
    expect(report).toContain('| Result of claude (verifier) | pass | All \\| well. |');
    expect(report).toContain('- `make` exited with 0');
    expect(report).toContain('- outside the plan: `NOTES.md`, a note');
    expect(report).not.toContain('Your duty');
  });

  it('a translator marks the prose with the language and keeps the Markdown', async () => {
    const project = makePassingProject();
    const body = '## Source\n\n# Report\n\nAll is well.\n\n- one\n\n```js\nconst x = 1;\n```\n\n| a | b |';
    expect((await perform(project, 'translator', body, { Language: 'de' })).exitCode).toBe(0);
    expect(readFileSync(project.resultPath, 'utf8')).toBe(
      '# [de] Report\n\n[de] All is well.\n\n- [de] one\n\n```js\nconst x = 1;\n```\n\n| a | b |\n',
    );
  });

  it('a prompt without a known role fails, and says which roles there are', async () => {
    const project = makePassingProject();
    const run = await perform(project, 'poet');
    expect(run.exitCode).toBe(1);
    expect(run.events.at(-1)).toMatchObject({ type: 'result', status: 'error' });
    expect(run.output.toString()).toContain('implementer');
  });
});
