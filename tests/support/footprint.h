// Proving footprints: whether the bytes that an instruction says it reads and writes are those it reads and
// writes. An instruction runs over memory whose every byte is known, several times:
//  - with what it does not read changed: its results stay, so it reads nothing else; what it writes is the
//    same over both fills, so it writes all it says; nothing else differs from before, so it writes nothing
//    else;
//  - with one word changed of what it reads: in a good share of the cases a result tells.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "machine/observer.h"
#include "machine/ranges.h"
#include "machine/run.h"
#include "toprope/isa/operand.h"
#include "toprope/types/dtype.h"

namespace toprope::test {

using Random = std::mt19937_64;

inline uint64_t below(Random& random, uint64_t n) { return random() % n; }

template <class T>
T one_of(Random& random, std::initializer_list<T> list) {
  return list.begin()[below(random, list.size())];
}

/// UB, and a piece of GM behind it, byte by byte.
class Memory {
 public:
  static constexpr size_t kUb = 192 * 1024, kGm = 32 * 1024, kSize = kUb + kGm;

  uint8_t& operator[](size_t i) { return bytes_[i]; }
  uint8_t operator[](size_t i) const { return bytes_[i]; }
  uint8_t* data() { return bytes_.data(); }
  const uint8_t* data() const { return bytes_.data(); }

  /// Elements of one type everywhere: floating-point values between 0.5 and 4, any integers.
  void fill(Random& random, DType type) {
    if (type != DType::Half && type != DType::Float && type != DType::BFloat16) {
      for (size_t i = 0; i < bytes_.size(); i += 8) put(i, random());
      return;
    }
    const size_t element = size_of(type);
    for (size_t i = 0; i < bytes_.size(); i += element) {
      const float value = 0.5f + 3.5f * static_cast<float>(random() >> 40) / 16777216.0f;
      if (type == DType::Float)
        put(i, value);
      else if (type == DType::Half)
        put(i, half(value));
      else
        put(i, bfloat16(value));
    }
  }
  void invert() {
    for (size_t i = 0; i < kSize; i += 8) {
      uint64_t word;
      std::memcpy(&word, bytes_.data() + i, sizeof word);
      put(i, word ^ 0x5b5b5b5b5b5b5b5b);
    }
  }
  template <class T>
  void put(size_t at, T value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }

 private:
  std::vector<uint8_t> bytes_ = std::vector<uint8_t>(kSize);
};

/// An instruction and the memory it runs on.
struct Trial {
  DType fill = DType::Int8;                       ///< of the memory
  std::function<void(Memory&)> prepare = {};      ///< what the instruction takes for addresses or counts
  std::function<uint64_t(uint64_t gm)> run = {};  ///< the instruction; its answer is a result, too
  std::vector<std::string_view> fixed = {};       ///< operands that `prepare` has set
  bool telling = true;                            ///< whether each read should show in a result
};

/// How often a changed word of what is read showed in a result.
struct Share {
  uint64_t words = 0, told = 0;
  double value() const { return words ? static_cast<double>(told) / static_cast<double>(words) : 1; }
};

class FootprintProof : public Observer {
 public:
  FootprintProof() { install(this); }
  ~FootprintProof() override { uninstall(this); }

  /// Proves one trial; `what` names it in a failure.
  void prove(const Trial& trial, const std::string& what, Random& random) {
    launch([&](Core& core) { prove_on(core, trial, random); }, what);
  }
  const Share& share() const { return share_; }
  uint64_t instructions() const { return instructions_; }

  void on_instruction(Core&, const Instruction& instruction, std::span<const Access> accesses,
                      Site) override {
    ++instructions_;
    for (const Access& a : accesses) {
      const std::string_view name = a.operand;
      // What is left in temporary memory is nobody's business: it only is the instruction's own.
      const bool scratch = name == "sharedTmpBuffer";
      const bool fixed = std::find(fixed_.begin(), fixed_.end(), name) != fixed_.end();
      const uint8_t bits = scratch   ? kScratch
                           : a.write ? (a.atomic ? kWritten | kRead : kWritten)
                                     : (fixed ? kRead | kFixed : kRead);
      for_each_range(a, [&](uint64_t begin, uint64_t end) {
        const bool gm = a.slice.mem == Mem::GM;
        if (gm) {
          begin = begin - gm_ + Memory::kUb;
          end = end - gm_ + Memory::kUb;
        }
        if (begin < (gm ? Memory::kUb : 0) || end > (gm ? Memory::kSize : Memory::kUb) || begin >= end)
          return fail(std::string(instruction.name) + ": " + a.operand + " lies outside its memory");
        for (uint64_t i = begin; i < end; ++i) touched_[i] |= bits;
        ranges_.push_back({begin, end});
      });
    }
  }

 private:
  static constexpr uint8_t kRead = 1, kWritten = 2, kScratch = 4, kFixed = 8;
  static constexpr int kChangedWords = 6;
  static constexpr size_t kWord = 4;

  struct Result {
    VectorRegisters registers;
    uint64_t answer;

    bool operator==(const Result& o) const {
      const VectorRegisters &a = registers, &b = o.registers;
      return answer == o.answer && a.deq_scale == b.deq_scale && a.cmp_mask[0] == b.cmp_mask[0] &&
             a.cmp_mask[1] == b.cmp_mask[1] && a.extreme == b.extreme && a.extreme_index == b.extreme_index &&
             a.sum == b.sum && std::equal(a.merged, a.merged + 4, b.merged);
    }
  };

  template <class Body>
  void launch(Body body, const std::string& what) {
    error_.clear();
    const auto call = [&] { body(core()); };
    Launch launch;
    launch.kernel = "footprint";
    launch.blocks = 1;
    launch.call = [](void* state) { (*static_cast<decltype(call)*>(state))(); };
    launch.state = const_cast<void*>(static_cast<const void*>(&call));
    const LaunchStatus status = toprope::run(launch);
    ASSERT_EQ(status.report, "") << what;
    ASSERT_EQ(error_, "") << what;
  }

  void fail(const std::string& what) {
    if (error_.empty()) error_ = what;
  }

  /// Runs over `before`; what it leaves can be seen with now().
  Result run(Core& core, const Trial& trial, const Memory& before) {
    core.mask = MaskRegister{};
    core.vector = VectorRegisters{};
    core.pad = PadRegister{};
    core.atomic = StoreAtomic{};
    core.vector.cmp_mask[0] = 0x0123456789abcdef;
    core.vector.cmp_mask[1] = 0x5a5a1234fedc8765;
    std::fill(touched_.begin(), touched_.end(), uint8_t{0});
    ranges_.clear();
    ub_ = host(core, Mem::UB, 0);
    std::memcpy(ub_, before.data(), Memory::kUb);
    std::memcpy(global_.data(), before.data() + Memory::kUb, Memory::kGm);
    const uint64_t answer = trial.run(gm_);
    return {core.vector, answer};
  }
  uint8_t now(size_t i) const { return i < Memory::kUb ? ub_[i] : global_[i - Memory::kUb]; }

  /// Nothing but what is written differs from before.
  void check_rest(const Memory& before) {
    constexpr size_t kPiece = 256;
    for (size_t at = 0; at < Memory::kSize; at += kPiece) {
      const uint8_t* live = at < Memory::kUb ? ub_ + at : global_.data() + (at - Memory::kUb);
      if (!std::memcmp(live, before.data() + at, kPiece)) continue;
      for (size_t i = at; i < at + kPiece; ++i)
        if (now(i) != before[i] && !(touched_[i] & (kWritten | kScratch)))
          return fail("byte " + place(i) + " was changed, but no access writes it");
    }
  }

  void prove_on(Core& core, const Trial& trial, Random& random) {
    fixed_ = trial.fixed;
    gm_ = reinterpret_cast<uintptr_t>(global_.data());
    const Images& images = images_of(random, trial.fill);
    Memory first = images.first;
    if (trial.prepare) trial.prepare(first);
    const Result base = run(core, trial, first);
    check_rest(first);
    const std::vector<uint8_t> touched = touched_;
    const auto ranges = ranges_;
    std::vector<std::vector<uint8_t>> left;  // in each range
    for (const auto& [begin, end] : ranges) {
      left.emplace_back();
      for (uint64_t i = begin; i < end; ++i) left.back().push_back(now(i));
    }

    Memory second = first;
    second.invert();
    for (const auto& [begin, end] : ranges)
      for (uint64_t i = begin; i < end; ++i)
        if (touched[i] & kRead) second[i] = first[i];
    const Result again = run(core, trial, second);
    check_rest(second);
    if (touched != touched_) return fail("the footprint depends on bytes that no access reads");
    for (size_t k = 0; k < ranges.size(); ++k)
      for (uint64_t i = ranges[k].first; i < ranges[k].second; ++i) {
        const uint8_t before = left[k][i - ranges[k].first];
        if (touched[i] & kWritten && before != now(i))
          return fail("byte " + place(i) +
                      (now(i) == second[i] && before == first[i] ? " is said to be written, but was not"
                                                                 : " depends on bytes that no access reads"));
      }
    if (!(base == again))
      return fail("what the instruction leaves in registers depends on bytes that no access reads");
    if (!trial.telling) return;

    std::vector<uint64_t> candidates;
    const auto changeable = [&](size_t i) { return (touched[i] & (kRead | kFixed)) == kRead; };
    for (const auto& [begin, end] : ranges)
      for (uint64_t i = begin; i < end; ++i)
        if (changeable(i)) candidates.push_back(i);
    for (int k = 0; k < kChangedWords && !candidates.empty(); ++k) {
      const size_t word = candidates[below(random, candidates.size())] / kWord * kWord;
      Memory changed = first;
      for (size_t i = word; i < word + kWord; ++i)
        if (changeable(i)) changed[i] = images.other[i];
      if (!std::memcmp(changed.data() + word, first.data() + word, kWord)) continue;
      bool told = !(run(core, trial, changed) == base);
      for (size_t r = 0; r < ranges.size() && !told; ++r)
        for (uint64_t i = ranges[r].first; i < ranges[r].second && !told; ++i) {
          const uint8_t before = left[r][i - ranges[r].first];
          const bool untouched = now(i) == changed[i] && before == first[i];  // nobody has written there
          told = touched[i] & kWritten && now(i) != before && !untouched;
        }
      ++share_.words;
      share_.told += told;
    }
  }

  struct Images {
    Memory first, other;
  };
  const Images& images_of(Random& random, DType type) {
    if (!images_) {
      images_.emplace();
      images_->first.fill(random, type);
      images_->other.fill(random, type);
    }
    return *images_;
  }

  static std::string place(size_t i) {
    return i < Memory::kUb ? std::to_string(i) + " of UB" : std::to_string(i - Memory::kUb) + " of GM";
  }

  std::vector<uint8_t> global_ = std::vector<uint8_t>(Memory::kGm);
  uint8_t* ub_ = nullptr;
  uint64_t gm_ = 0;
  std::optional<Images> images_;  // of the first trial's type: all of a proof have the same
  std::vector<uint8_t> touched_ = std::vector<uint8_t>(Memory::kSize);
  std::vector<std::pair<uint64_t, uint64_t>> ranges_;
  std::vector<std::string_view> fixed_;
  std::string error_;
  Share share_;
  uint64_t instructions_ = 0;
};

/// Runs trials that `make(random)` builds and asks that at least `floor` of the changed words showed.
template <class Make>
void prove_footprint(const std::string& what, int trials, double floor, Make make) {
  SCOPED_TRACE(what);
  FootprintProof proof;
  Random random(std::hash<std::string>{}(what));
  for (int i = 0; i < trials; ++i) {
    proof.prove(make(random), what + ", trial " + std::to_string(i), random);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(proof.instructions(), 0u);
  EXPECT_GE(proof.share().value(), floor) << "of " << proof.share().words << " changed words";
  if (floor > 0) {
    EXPECT_GT(proof.share().words, static_cast<uint64_t>(trials) / 2);
  }
}

/// A slice of UB whose allocation goes on for `bytes`.
inline Slice in_ub(uint64_t at, uint64_t bytes) { return {at, at, at + bytes, Mem::UB}; }
inline Slice in_gm(uint64_t address, uint64_t bytes) { return {address, address, address + bytes, Mem::GM}; }

}  // namespace toprope::test
