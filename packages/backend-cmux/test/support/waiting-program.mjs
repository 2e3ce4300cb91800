// Stands for the program in a pane: connects, and waits until the other end lets go.
import { connect } from 'node:net';

connect(process.argv[2]).on('error', () => undefined);
