// Virtual time of products, by hand from the scenario.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/standin/clock.h"
#include "tests/standin/cublaslt/multiplication.h"
#include "tests/standin/device.h"
#include "tests/standin/stream.h"
#include "tests/standin/test/device_values.h"
#include "tests/standin/test/scenario_run.h"

namespace splitbench::standin {
namespace {

// tokens x inner to outputs, all fp32, with memory of its own; the library is asked for the
// transposed product, as callers with rows do.
class Gemm {
 public:
  // With algorithms that were found before, or those that the search proposes.
  Gemm(std::int64_t tokens, std::int64_t inner, std::int64_t outputs, bool relu,
       const std::vector<cublasLtMatmulAlgo_t>& stored = {})
      : weights_({CUDA_R_32F, outputs, inner}),
        input_({CUDA_R_32F, inner, tokens}),
        output_({CUDA_R_32F, outputs, tokens}),
        product_(weights_, input_, output_),
        a_(std::vector<float>(weights_.elements())),
        b_(std::vector<float>(input_.elements())),
        d_(std::vector<float>(output_.elements())) {
    if (relu) product_.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU);
    for (const cublasLtMatmulAlgo_t& algorithm : stored) {
      cublasLtMatmulHeuristicResult_t result{};
      EXPECT_EQ(product_.check(algorithm, &result), CUBLAS_STATUS_SUCCESS);
    }
    algorithms_ = stored.empty() ? search() : stored;
  }

  const std::vector<cublasLtMatmulAlgo_t>& algorithms() const { return algorithms_; }

  void run(cudaStream_t stream, std::size_t algorithm = kNominal) {
    EXPECT_EQ(product_.run(a_.data(), b_.data(), d_.data(), stream, &algorithms_[algorithm]),
              CUBLAS_STATUS_SUCCESS);
  }

  static constexpr std::size_t kNominal = 1;  // the second proposal takes the stated time

 private:
  std::vector<cublasLtMatmulAlgo_t> search() {
    std::vector<cublasLtMatmulAlgo_t> found;
    for (const auto& proposal : product_.proposals(0, CUBLASLT_REDUCTION_SCHEME_NONE)) {
      found.push_back(proposal.algo);
    }
    return found;
  }

  Placement weights_;
  Placement input_;
  Placement output_;
  Multiplication product_;
  DeviceValues<float> a_;
  DeviceValues<float> b_;
  DeviceValues<float> d_;
  std::vector<cublasLtMatmulAlgo_t> algorithms_;
};

cudaStream_t make_stream() {
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  return stream;
}

// How far the device's clock moves while the stream does what `queue` puts on it.
template <class Queue>
Time duration(cudaStream_t stream, Queue queue) {
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  const Time start = device_clock(0);
  queue();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  return device_clock(0) - start;
}

template <class Queue>
cudaGraphExec_t capture(cudaStream_t stream, Queue queue) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  queue();
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  return executable;
}

void serial_part(cudaStream_t stream) {
  const auto take_5_us = [](Turn& turn) { turn.spend_in_all(5e-6); };
  EXPECT_EQ(enqueue(stream, {Kind::kernel, "serial_part", take_5_us}), cudaSuccess);
}

// flops / rate = 2 * 16 * 64 * 256 / 1e12 = 0.524288 us is less than bytes / rate =
// 4 (16 * 64 + 64 * 256 + 16 * 256) / 1e11 = 0.86016 us; the launch 2 us.
TEST(Cost, IsTheLargerOfArithmeticAndMemoryAfterTheLaunch) {
  run_alone(R"({"devices": 1, "launch_s": 2e-6, "flops": 1e12, "memory_bytes_per_s": 1e11})", [] {
    const cudaStream_t stream = make_stream();
    Gemm gemm(16, 64, 256, true);
    EXPECT_EQ(duration(stream, [&] { gemm.run(stream); }), from_seconds(2.86016e-6));
  });
  run_alone(R"({"devices": 1, "launch_s": 2e-6, "flops": 1e11, "memory_bytes_per_s": 1e12})", [] {
    const cudaStream_t stream = make_stream();
    Gemm gemm(16, 64, 256, true);
    EXPECT_EQ(duration(stream, [&] { gemm.run(stream); }), from_seconds(7.24288e-6));
  });
}

TEST(Cost, TheFirstProposalIsAQuarterSlower) {
  run_alone(R"({"devices": 1, "launch_s": 0, "flops": 1e11, "memory_bytes_per_s": 1e12})", [] {
    const cudaStream_t stream = make_stream();
    Gemm gemm(16, 64, 256, false);
    ASSERT_EQ(gemm.algorithms().size(), 2U);
    EXPECT_EQ(duration(stream, [&] { gemm.run(stream, 0); }), from_seconds(1.25 * 5.24288e-6));
  });
}

// Half of d_ff = 256, once the full product has been searched for: 0.5 * 5.24288 us of arithmetic
// and the launch, all of it at an efficiency of 0.8.
TEST(Cost, ShardsPayForTheirEfficiency) {
  run_alone(
      R"({"devices": 2, "launch_s": 1e-6, "flops": 1e11, "memory_bytes_per_s": 1e13,
                "shard_efficiency": 0.8})",
      [] {
        const cudaStream_t stream = make_stream();
        Gemm shard_alone(16, 64, 128, true);
        EXPECT_EQ(duration(stream, [&] { shard_alone.run(stream); }), from_seconds(3.62144e-6));
        Gemm up(16, 64, 256, true);
        Gemm down(16, 256, 64, false);
        Gemm shard_up(16, 64, 128, true);
        Gemm shard_down(16, 128, 64, false);
        EXPECT_EQ(duration(stream, [&] { up.run(stream); }), from_seconds(6.24288e-6));
        EXPECT_EQ(duration(stream, [&] { down.run(stream); }), from_seconds(6.24288e-6));
        EXPECT_EQ(duration(stream, [&] { shard_up.run(stream); }), from_seconds(3.62144e-6 / 0.8));
        EXPECT_EQ(duration(stream, [&] { shard_down.run(stream); }),
                  from_seconds(3.62144e-6 / 0.8));
      });
}

// A later process does not search: it checks the algorithms that an earlier one found. The search
// for another number of tokens says nothing about these.
TEST(Cost, ShardsAreToldByStoredAlgorithmsToo) {
  run_alone(R"({"devices": 2, "launch_s": 1e-6, "flops": 1e11, "memory_bytes_per_s": 1e13,
                "shard_efficiency": 0.8})",
            [] {
              const cudaStream_t stream = make_stream();
              const Gemm other(8, 64, 512, true);
              Gemm full(16, 64, 256, true, other.algorithms());
              Gemm shard(16, 64, 128, true, other.algorithms());
              EXPECT_EQ(duration(stream, [&] { full.run(stream); }), from_seconds(6.24288e-6));
              EXPECT_EQ(duration(stream, [&] { shard.run(stream); }),
                        from_seconds(3.62144e-6 / 0.8));
            });
}

TEST(Cost, OfAShapeInTheTableIsTheTables) {
  run_alone(R"({"devices": 1, "launch_s": 1e-6, "table_s": {"matmul 16x64x256 fp32 relu": 9e-6}})",
            [] {
              const cudaStream_t stream = make_stream();
              Gemm gemm(16, 64, 256, true);
              EXPECT_EQ(duration(stream, [&] { gemm.run(stream); }), from_seconds(9e-6));
            });
}

// Two layers in a graph: serial part 5 us, products of a shard 1 + 2.62144 us each; composition_s
// 6 us is shared out between the two products that follow a serial part, and nowhere else.
TEST(Cost, CompositionIsSpreadOverTheLayersOfAGraph) {
  run_alone(R"({"devices": 2, "launch_s": 1e-6, "flops": 1e11, "memory_bytes_per_s": 1e13,
                "composition_s": 6e-6})",
            [] {
              const cudaStream_t stream = make_stream();
              Gemm full(16, 64, 256, true);
              Gemm up(16, 64, 128, true);
              Gemm down(16, 128, 64, false);
              const cudaGraphExec_t split = capture(stream, [&] {
                for (int layer = 0; layer < 2; ++layer) {
                  serial_part(stream);
                  up.run(stream);
                  down.run(stream);
                }
              });
              const cudaGraphExec_t shard = capture(stream, [&] {
                for (int layer = 0; layer < 2; ++layer) {
                  up.run(stream);
                  down.run(stream);
                }
              });
              for (int replay = 0; replay < 2; ++replay) {
                EXPECT_EQ(duration(stream, [&] { cudaGraphLaunch(split, stream); }),
                          from_seconds(2 * 5e-6 + 4 * 3.62144e-6 + 6e-6));
                EXPECT_EQ(duration(stream, [&] { cudaGraphLaunch(shard, stream); }),
                          from_seconds(4 * 3.62144e-6));
              }
            });
}

// Three layers on two devices: the first and the third are delayed on device 0.
TEST(Cost, SkewDelaysOneDeviceALayer) {
  run_alone(R"({"devices": 2, "launch_s": 1e-6, "flops": 1e11, "memory_bytes_per_s": 1e13,
                "skew_s": 7e-6})",
            [] {
              const cudaStream_t stream = make_stream();
              Gemm full(16, 64, 256, true);
              Gemm up(16, 64, 128, true);
              const cudaGraphExec_t shard = capture(stream, [&] {
                for (int layer = 0; layer < 3; ++layer) up.run(stream);
              });
              EXPECT_EQ(duration(stream, [&] { cudaGraphLaunch(shard, stream); }),
                        from_seconds(3 * 3.62144e-6 + 2 * 7e-6));
            });
}

// The same with four devices of which two are ranks: rank 0 is late again in the first and third.
TEST(Cost, SkewGoesByTheRanksThatTakePart) {
  run_alone(R"({"devices": 4, "launch_s": 1e-6, "flops": 1e11, "memory_bytes_per_s": 1e13,
                "skew_s": 7e-6})",
            [] {
              take_seat(0, {.rank = 0, .ranks = 2});
              const cudaStream_t stream = make_stream();
              Gemm full(16, 64, 256, true);
              Gemm up(16, 64, 128, true);
              const cudaGraphExec_t shard = capture(stream, [&] {
                for (int layer = 0; layer < 3; ++layer) up.run(stream);
              });
              EXPECT_EQ(duration(stream, [&] { cudaGraphLaunch(shard, stream); }),
                        from_seconds(3 * 3.62144e-6 + 2 * 7e-6));
            });
}

}  // namespace
}  // namespace splitbench::standin
