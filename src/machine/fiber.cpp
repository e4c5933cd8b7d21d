#include "machine/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(TOPROPE_FIBERS_UNDER_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace toprope {
namespace {

constexpr size_t kStackBytes = 256 * 1024;

struct BorrowedStack {  // the Fiber owns the mapping; Boost only runs on it
  using traits_type = boost::context::stack_traits;
  boost::context::stack_context allocate() { return {}; }
  void deallocate(boost::context::stack_context&) noexcept {}
};

}  // namespace

struct Fiber::Stack {
  /// Stacks begin at different places in their pages: else the lines in use of all of them would share the
  /// few places that the cache has for them.
  static size_t next_colour() {
    constexpr size_t kStep = 192, kColours = 21;
    static std::atomic<size_t> made{0};
    return made.fetch_add(1, std::memory_order_relaxed) % kColours * kStep;
  }
  Stack() {
    page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    mapping = mmap(nullptr, kStackBytes + page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    mprotect(mapping, page, PROT_NONE);  // an overflow faults instead of writing into a neighbour
  }
  ~Stack() { munmap(mapping, kStackBytes + page); }
  boost::context::stack_context context() const {
    boost::context::stack_context c;
    c.sp = static_cast<char*>(mapping) + page + kStackBytes - colour;
    c.size = kStackBytes - colour;
    return c;
  }
  void* mapping;
  size_t page;
  size_t colour = next_colour();
#if defined(__SANITIZE_ADDRESS__)
  const void* caller_bottom = nullptr;
  size_t caller_size = 0;
  void* caller_fake = nullptr;
  void* own_fake = nullptr;
#endif
#if defined(TOPROPE_FIBERS_UNDER_TSAN)
  void* own_tsan = __tsan_create_fiber(0);
  void* caller_tsan = nullptr;
#endif
};

Fiber::Fiber(void (*body)(Fiber&, void*))
    : state_(std::make_unique<CoreState>()), body_(body), stack_(std::make_unique<Stack>()) {
  state_->fiber = this;
  const auto context = stack_->context();
  inside_ = boost::context::fiber(
      std::allocator_arg, boost::context::preallocated(context.sp, context.size, context), BorrowedStack{},
      [this](boost::context::fiber&& caller) {
        outside_ = std::move(caller);
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_finish_switch_fiber(nullptr, &stack_->caller_bottom, &stack_->caller_size);
#endif
        while (!quit_) {
          begin_float_state(caller_state_);
          body_(*this, argument_);
          begin_float_state(caller_state_);  // so that the next resume() finds what it has itself
          done_ = true;
          suspend();
        }
#if defined(__SANITIZE_ADDRESS__)
        __sanitizer_start_switch_fiber(nullptr, stack_->caller_bottom, stack_->caller_size);
#endif
#if defined(TOPROPE_FIBERS_UNDER_TSAN)
        __tsan_switch_to_fiber(stack_->caller_tsan, 0);
#endif
        return std::move(outside_);
      });
}

Fiber::~Fiber() {
  quit_ = true;
  resume(nullptr);
#if defined(TOPROPE_FIBERS_UNDER_TSAN)
  __tsan_destroy_fiber(stack_->own_tsan);
#endif
}

#if defined(__SANITIZE_ADDRESS__)

bool Fiber::resume(void* argument) {
  const auto context = stack_->context();
  __sanitizer_start_switch_fiber(&stack_->caller_fake, static_cast<char*>(context.sp) - context.size,
                                 context.size);
  const bool finished = enter(argument);
  __sanitizer_finish_switch_fiber(stack_->caller_fake, nullptr, nullptr);
  return finished;
}

void Fiber::suspend() {
  __sanitizer_start_switch_fiber(&stack_->own_fake, stack_->caller_bottom, stack_->caller_size);
  leave();
  __sanitizer_finish_switch_fiber(stack_->own_fake, &stack_->caller_bottom, &stack_->caller_size);
}

#elif defined(TOPROPE_FIBERS_UNDER_TSAN)

bool Fiber::resume(void* argument) {
  stack_->caller_tsan = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(stack_->own_tsan, 0);
  return enter(argument);
}

void Fiber::suspend() {
  __tsan_switch_to_fiber(stack_->caller_tsan, 0);
  leave();
}

#endif

}  // namespace toprope
