// CUDA C as C++ for one processor: the threads of a block take turns, each until it waits for others.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>
#include <ucontext.h>
using std::exp; using std::fma; using std::min; using std::sqrt;
#define __device__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __launch_bounds__(...)
struct Place { int x, y; };
Place blockIdx, threadIdx, gridDim;
alignas(64) unsigned char room_for_all[1 << 22];

struct Thread { ucontext_t context; std::vector<char> stack; bool ended; int met; };
std::vector<Thread> threads;
ucontext_t turns;
double said[2][1024];
bool whole, apart;  // whether whole warps were to meet, and whether some of one did not

// A thread says a number and waits until all have said theirs. Those of one group meet equally often.
template <class Number> int meet(Number number) {
  const int own = threadIdx.x, which = threads[own].met++ & 1;
  said[which][own] = double(number);
  swapcontext(&threads[own].context, &turns);
  threadIdx.x = own;
  return which;
}
template <class Number> Number __shfl_sync(unsigned mask, Number number, int lane, int width) {
  whole |= mask == ~0u;
  const int which = meet(number);
  return Number(said[which][threadIdx.x / width * width + lane]);
}
template <class Number> Number __shfl_xor_sync(unsigned mask, Number number, int distance, int) {
  whole |= mask == ~0u;
  const int which = meet(number);
  return Number(said[which][threadIdx.x ^ distance]);
}
inline unsigned __ballot_sync(unsigned mask, bool yes) {
  const int which = meet(yes), first = threadIdx.x & ~31;
  unsigned found = 0;
  for (int k = 0; k < 32; k++) if (mask >> k & 1 && said[which][first + k]) found |= 1u << k;
  return found;
}
inline void __syncthreads() { meet(0); }

void (*program)();
void begin() { program(); threads[threadIdx.x].ended = true; swapcontext(&threads[threadIdx.x].context, &turns); }

int run(void (*all)(), int columns, int rows, int block) {
  program = all;
  whole = apart = false;
  gridDim = {columns, rows};
  for (int number = 0; number < columns * rows; number++) {
    blockIdx = {number % columns, number / columns};
    threads = std::vector<Thread>(block);
    for (int t = 0; t < block; t++) {
      threads[t].stack.resize(1 << 18);
      getcontext(&threads[t].context);
      threads[t].context.uc_stack.ss_sp = threads[t].stack.data();
      threads[t].context.uc_stack.ss_size = threads[t].stack.size();
      makecontext(&threads[t].context, begin, 0);
    }
    for (bool going = true; going;) {
      going = false;
      for (int t = 0; t < block; t++) {
        if (threads[t].ended) continue;
        threadIdx.x = t;
        swapcontext(&turns, &threads[t].context);
        going = true;
      }
    }
    for (int t = 0; t < block; t++) apart |= whole && threads[t].met != threads[t & ~31].met;
  }
  return apart;
}
