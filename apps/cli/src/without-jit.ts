import { config } from 'zod';

// A command reads a handful of documents: compiling a parser for each schema takes longer than it ever saves.
config({ jitless: true });
