// The public surface of every package as a report in git (docs/api/), so that a change of it is seen in review.
// Writes the reports; with `--check` fails where one differs from what the build gives, or where a type is used but not exported.
// Arguments name packages by their folder; without any all are looked at. Needs a build. The packages are shared out among as many threads as there are cores: each report costs a second or two of one.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = join(ROOT, 'docs', 'api');
/** Tools for tests show types of their insides; that is told in their reports, and is no finding. */
const FOR_TESTS = new Set(['@bailiwick/agent-fakes', '@bailiwick/test-harness']);

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
if (isMainThread) await main(process.argv.includes('--check'));
else parentPort.postMessage(workerData.folders.flatMap((folder) => report(folder, workerData.isCheck)));

async function main(isCheck) {
  mkdirSync(REPORTS, { recursive: true });
  const groups = readdirSync(join(ROOT, 'packages')).map((name) => join(ROOT, 'packages', name));
  const folders = [...groups, join(ROOT, 'apps', 'test-harness')].filter(isWanted);
  const failures = [...(await inThreads(folders, isCheck)), ...(wanted.length === 0 ? orphans(folders, isCheck) : [])];
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  process.stdout.write(`${folders.length} packages, ${failures.length} findings\n`);
  process.exitCode = failures.length === 0 && folders.length > 0 ? 0 : 1;
}

function isWanted(folder) {
  return existsSync(join(folder, 'package.json')) && (wanted.length === 0 || wanted.includes(basename(folder)));
}

/** Every n-th folder to the n-th thread: neighbours by name are of like size. */
async function inThreads(folders, isCheck) {
  const threads = Math.min(availableParallelism(), folders.length);
  const shares = Array.from({ length: threads }, (_, n) => folders.filter((_folder, at) => at % threads === n));
  const answers = await Promise.all(shares.map((share) => inThread({ folders: share, isCheck })));
  return answers.flat();
}

function inThread(share) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** Reports of packages that are no more. */
function orphans(folders, isCheck) {
  const wanted = new Set(folders.map((folder) => reportNameOf(nameOf(folder))));
  const stale = readdirSync(REPORTS).filter((file) => !wanted.has(file));
  if (!isCheck) for (const file of stale) rmSync(join(REPORTS, file));
  return isCheck ? stale.map((file) => `docs/api/${file}: there is no such package`) : [];
}

function report(folder, isCheck) {
  const name = nameOf(folder);
  if (!existsSync(join(folder, 'dist', 'index.d.ts'))) return [`${name}: isn't built`];
  const messages = [];
  const result = Extractor.invoke(configOf(folder, name), {
    localBuild: !isCheck,
    messageCallback: (message) => {
      message.handled = true;
      const isForgotten = message.messageId === 'ae-forgotten-export' && !FOR_TESTS.has(name);
      const isTold = message.logLevel === ExtractorLogLevel.Error || isForgotten;
      if (isTold) messages.push(`${name}: ${message.text}`);
    },
  });
  if (isCheck && result.apiReportChanged) messages.push(`${name}: its API report differs; \`pnpm api\` writes it anew`);
  return messages;
}

function nameOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
}

function reportNameOf(name) {
  return `${name.replace('@bailiwick/', '')}.api.md`;
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
        reportFileName: reportNameOf(name),
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
