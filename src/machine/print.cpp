// printf, assertions and traps of kernels.
#include "toprope/machine/print.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/format.h"
#include "machine/output.h"

namespace toprope {
namespace {

std::atomic<uint64_t> most_bytes = kPrintLimit;

}  // namespace

uint64_t print_limit() { return most_bytes.load(std::memory_order_relaxed); }

void set_print_limit(uint64_t bytes) { most_bytes.store(bytes, std::memory_order_relaxed); }

std::string core_prefix() {
  const Core* c = current_core;
  if (!c) return {};
  const Launch& l = *c->state->launch;
  const uint32_t cores = l.blocks * (c->cube ? 1 : l.vectors);
  return std::string(c->cube ? "[AIC Block " : "[AIV Block ") + std::to_string(c->block_idx) + "/" +
         std::to_string(cores) + "] ";
}

void write_text(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);  // one call: stdio's lock keeps the text in one piece
}

int print(const char* format, const PrintArgument* arguments, size_t count) {
  const std::string text = formatted(format, arguments, count);
  if (current_core && text.size() > print_limit()) {
    std::fprintf(stderr,
                 "toprope: warning: %sprintf of %zu bytes is not printed: a call is limited to %llu KB\n",
                 core_prefix().c_str(), text.size(), static_cast<unsigned long long>(print_limit() / 1024));
    return 0;
  }
  write_text(core_prefix() + text);
  return static_cast<int>(text.size());
}

void assertion_failed(const char* file, uint32_t line, const char* function, const char* expression,
                      const char* format, const PrintArgument* arguments, size_t count) {
  std::string text = std::string(file) + ":" + std::to_string(line) + ": ";
  if (function) text += std::string(function) + ": ";
  text += std::string("Assertion `") + expression + "' ";
  std::string message = format ? formatted(format, arguments, count) : "failed.";
  while (!message.empty() && message.back() == '\n') message.pop_back();
  text += message;
  Core* c = current_core;
  if (!c) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", text.c_str());
    std::abort();
  }
  write_text("[ASSERT] " + text + "\n");
  std::fflush(stdout);
  refuse(*c, "assert", text, "the condition must hold here", __builtin_return_address(0));
}

void trap() {
  Core& c = core();
  refuse(c, "trap", "the kernel ended itself with Trap()", "see the condition that leads here",
         __builtin_return_address(0));
}

}  // namespace toprope
