#include "harness/cli/program.h"

int main(int argc, char** argv) {
  return splitbench::cli::run_program(argc, argv);
}
