import { launchStories } from './launch-stories.ts';
import { processStories } from './process-stories.ts';
import { recordStories } from './record-stories.ts';
import type { Story } from './story.ts';
import { truthStories } from './truth-stories.ts';

/** What went wrong with comparable tools, each shown impossible through the built command line. */
export const STORIES: readonly Story[] = [...recordStories, ...launchStories, ...processStories, ...truthStories];
