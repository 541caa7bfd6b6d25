// splitbench-selftest: the proof as a command.
#pragma once

namespace splitbench::proof {

// Exit codes: 0, 1 where a claim is missed, 2 for bad input, 5 for a fault, 128 + the signal.
int run_proof(int argc, char** argv);

}  // namespace splitbench::proof
