// The public surface of every package as a report in git (docs/api/), so that a change of it is seen in review.
// Writes the reports; with `--check` fails where one differs from what the build gives, or where a type is used but not exported.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = join(ROOT, 'docs', 'api');
const isCheck = process.argv.includes('--check');

mkdirSync(REPORTS, { recursive: true });
const groups = readdirSync(join(ROOT, 'packages')).map((name) => join(ROOT, 'packages', name));
const packages = [...groups, join(ROOT, 'apps', 'test-harness')];
const failures = packages.flatMap(report);
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.stdout.write(`${packages.length} packages, ${failures.length} differ\n`);
process.exitCode = failures.length === 0 && packages.length > 0 ? 0 : 1;

function report(folder) {
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const messages = [];
  const result = Extractor.invoke(configOf(folder, name), {
    localBuild: !isCheck,
    messageCallback: (message) => {
      message.handled = true;
      const isTold = message.logLevel === ExtractorLogLevel.Error || message.messageId === 'ae-forgotten-export';
      if (isTold) messages.push(`${name}: ${message.text}`);
    },
  });
  if (isCheck && result.apiReportChanged) messages.push(`${name}: its API report differs; \`pnpm api\` writes it anew`);
  return messages;
}

function configOf(folder, name) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, 'dist', 'index.d.ts'),
      compiler: { overrideTsconfig: compilerOptions() },
      apiReport: {
        enabled: true,
        reportFileName: `${name.replace('@bailiwick/', '')}.api.md`,
        reportFolder: REPORTS,
        reportTempFolder: join(ROOT, '.reports', 'api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: { extractorMessageReporting: { 'ae-missing-release-tag': { logLevel: 'none' } } },
    },
  });
}

function compilerOptions() {
  return {
    compilerOptions: {
      target: 'es2022',
      lib: ['es2022'],
      module: 'nodenext',
      moduleResolution: 'nodenext',
      skipLibCheck: true,
      types: ['node'],
    },
    include: ['dist/index.d.ts'],
  };
}
