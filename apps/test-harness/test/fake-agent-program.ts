import { setFakeAgentProgram } from '@bailiwick/agent-fakes';
import { programPath } from '@bailiwick/tooling/program-path';

// Every start that took the types out of its sources would do so anew.
setFakeAgentProgram(programPath('fake-agent'));
