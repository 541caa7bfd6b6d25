#include "harness/proof/command.h"

int main(int argc, char** argv) {
  return splitbench::proof::run_proof(argc, argv);
}
