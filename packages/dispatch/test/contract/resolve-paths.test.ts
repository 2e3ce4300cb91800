import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathResolver, resolvePaths } from '../../src/contract/resolve-paths.ts';
import { tempFolder } from '../support/temp-folder.ts';

function linkTo(folder: string, target: string): void {
  rmSync(join(folder, 'link'), { force: true });
  symlinkSync(target, join(folder, 'link'));
}

describe('where paths really lead', () => {
  it('is where their nearest existing parent does, for those that are not there yet', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'one'));
    linkTo(folder, 'one');
    const named = join(folder, 'link/not/yet');
    expect(await resolvePaths([folder, named])).toEqual(
      new Map([
        [folder, folder],
        [named, join(folder, 'one/not/yet')],
      ]),
    );
  });

  it('is asked once for all the policies of a batch, and anew for the next', async () => {
    const folder = tempFolder();
    for (const name of ['one', 'other']) mkdirSync(join(folder, name));
    const named = ['link/a', 'link/b'].map((path) => join(folder, path));
    const resolver = pathResolver();
    linkTo(folder, 'one');
    expect((await resolvePaths([named[0] ?? ''], resolver)).get(named[0] ?? '')).toBe(join(folder, 'one/a'));
    linkTo(folder, 'other');
    expect((await resolvePaths(named, resolver)).get(named[1] ?? '')).toBe(join(folder, 'one/b'));
    expect((await resolvePaths(named)).get(named[1] ?? '')).toBe(join(folder, 'other/b'));
  });
});
