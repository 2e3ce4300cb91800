import { fileURLToPath } from 'node:url';
import type { FakeModelRequest } from './model-server/model-arguments.ts';

/** The argv that starts the fake model: this Node and the program's absolute path. Works from the sources and from the build. */
export function fakeModelCommand(request: FakeModelRequest): string[] {
  return [
    process.execPath,
    programPath(),
    '--scenario',
    request.scenario,
    ...(request.record === undefined ? [] : ['--record', request.record]),
    ...(request.port === undefined ? [] : ['--port', String(request.port)]),
    ...(request.whileStdin === true ? ['--while-stdin'] : []),
  ];
}

function programPath(): string {
  const place = import.meta.url.endsWith('.ts') ? './fake-model.ts' : './fake-model.js';
  return fileURLToPath(new URL(place, import.meta.url));
}
