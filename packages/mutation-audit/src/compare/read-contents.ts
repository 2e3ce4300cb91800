import type { BytePath } from '../path-name.ts';
import type { Crew } from '../thread/crew.ts';
import type { ContentResult } from '../tree/content.ts';

/** A file or link to read. */
export interface ContentWanted {
  readonly path: BytePath;
  readonly isLink: boolean;
  readonly gitFormat?: 'sha1' | 'sha256';
}

/** Reads contents with all threads: path → content, or why it can't be known. */
export async function readContents(
  wanted: readonly ContentWanted[],
  crew: Crew,
): Promise<ReadonlyMap<BytePath, ContentResult>> {
  if (wanted.length === 0) return new Map();
  const parts = await crew.run<'hash'>({
    kind: 'hash',
    input: {
      counter: new SharedArrayBuffer(4),
      paths: wanted.map(({ path }) => path),
      links: Uint8Array.from(wanted, ({ isLink }) => (isLink ? 1 : 0)),
      gitFormats: Uint8Array.from(wanted, ({ gitFormat }) =>
        gitFormat === 'sha1' ? 1 : gitFormat === 'sha256' ? 2 : 0,
      ),
    },
  });
  return new Map(parts.flat().map(([at, content]) => [wanted[at]?.path ?? '', content]));
}
