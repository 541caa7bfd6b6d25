#include "tests/standin/near.h"

constinit thread_local uint3 threadIdx{};
constinit thread_local uint3 blockIdx{};
constinit thread_local dim3 blockDim{};
constinit thread_local dim3 gridDim{};

namespace splitbench::standin {

constinit thread_local Team* team_at_work = nullptr;
constinit thread_local sigjmp_buf* place_to_land = nullptr;
constinit thread_local Turn* turn_of_thread = nullptr;

}  // namespace splitbench::standin
