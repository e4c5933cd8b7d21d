// When each instruction of one core runs: an in-order queue a pipe, and what makes a pipe wait.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "trace/work.h"

namespace toprope::trace {

inline constexpr int kPipes = 7;  // S V M MTE1 MTE2 MTE3 FIX
inline constexpr uint32_t kNone = ~0u;

/// What an instruction waited for last before it could start.
enum class Edge : uint8_t { Begin, Order, Issue, Flag, Queue, Barrier, Cross };
inline constexpr int kEdges = 7;

struct Event {
  Cycles start = 0, free = 0, done = 0;
  float scalar = 0;     ///< the scalar unit's own work between the edge and the start
  float held = 0;       ///< how long its pipe was idle because of the edge
  uint32_t by = kNone;  ///< number of the event at the other end of the edge
  uint32_t place = 0;
  uint32_t wait = kNone;  ///< place of the WaitFlag, DeQue, AllocTensor, … behind the edge
  Pipe pipe = Pipe::S;
  Edge edge = Edge::Begin;
  bool shared = false;  ///< GM's shared bandwidth set its end
  bool critical = false;
  bool waiting = false;  ///< no instruction: the whole core waits for another one
};

/// A point in time and the event that set it.
struct Moment {
  Cycles at = 0;
  uint32_t event = kNone;
};

/// Where the time of the longest chain of events goes.
struct Path {
  std::array<Cycles, kPipes> pipe{};
  Cycles sync = 0;     ///< waiting for other cores
  Cycles shared = 0;   ///< of the copies: bound by GM's shared bandwidth
  Cycles unknown = 0;  ///< before the oldest event that is remembered
  /// Of one place: its own part, and how long pipes were idle because of a wait at this place, by its kind.
  struct Part {
    Cycles own = 0;
    std::array<Cycles, kEdges> held{};
  };
  std::vector<Part> place;

  /// What came before it on the same core.
  void add(const Path& before);
};

class Timeline {
 public:
  /// `share`: bytes a cycle of GM for this core while every core wants some. `catch_up`: bytes that it may
  /// fetch faster after it was idle while others were not; its local memory, as a pipeline runs no further
  /// ahead than its buffers let it.
  void begin(Cycles at, double share, double catch_up);

  void run(Pipe pipe, const Work& work, double gm_bytes, uint32_t place);
  void set_flag(Pipe from, Pipe to, int id);
  void wait_flag(Pipe from, Pipe to, int id, uint32_t place);
  void barrier(Pipe pipe, uint32_t place);
  /// A buffer changes hands: whoever takes it from `by` starts after what `by` has done with it.
  void give(uint64_t buffer, Pipe by);
  void take(uint64_t buffer, Pipe by, Pipe to, uint32_t place);
  /// When everything on a pipe so far (ALL: on every pipe) is done.
  Cycles released(Pipe pipe) const { return done(pipe).at; }
  /// Every pipe waits for another core.
  void acquire(Cycles at, uint32_t place);

  Cycles began() const { return began_; }
  Cycles end() const { return done(Pipe::ALL).at; }
  uint64_t events() const { return count_; }
  /// The last event, null before the first.
  const Event* last() const { return count_ ? &event(static_cast<uint32_t>(count_ - 1)) : nullptr; }
  Cycles busy(Pipe pipe) const { return busy_[index(pipe)]; }
  /// Walks the longest chain backwards and marks its events critical.
  Path path(size_t places);
  /// The remembered event with this number.
  const Event& event(uint32_t number) const { return ring_[number % kRing]; }
  Event& event(uint32_t number) { return ring_[number % kRing]; }
  uint64_t oldest() const { return count_ > kRing ? count_ - kRing : 0; }
  bool remembers(uint32_t number) const { return number < count_ && number >= oldest(); }

 private:
  static constexpr uint32_t kRing = 1 << 14, kDepth = 32;
  struct Hold {
    Moment until;
    uint32_t wait = kNone;
    Edge edge = Edge::Begin;
  };
  struct Buffer {
    uint64_t key;
    Moment given;
  };
  static int index(Pipe pipe) { return static_cast<int>(pipe); }
  static int flag(Pipe from, Pipe to, int id) { return (index(from) * 8 + index(to)) * 8 + (id & 7); }
  Moment done(Pipe pipe) const;
  void hold(Pipe pipe, const Hold& h);
  void stall(const Hold& h);
  uint32_t add(const Event& e);
  void by_scalar(Event& e) const;

  Cycles began_ = 0;
  double share_ = 0;
  Cycles credit_ = 0;
  Cycles gm_clock_ = 0;
  Moment issue_;  ///< the scalar unit
  Hold origin_;   ///< since then it has only worked
  std::array<Moment, kPipes> free_{}, done_{};
  std::array<Hold, kPipes> hold_{};
  std::array<Cycles, kPipes> busy_{};
  std::array<std::array<Cycles, kDepth>, kPipes> starts_{};
  std::array<uint32_t, kPipes> issued_{};
  std::array<Moment, 8 * 8 * 8> flags_{};
  bool flags_used_ = true;
  std::vector<Buffer> buffers_;
  std::vector<Event> ring_;
  uint64_t count_ = 0;
};

}  // namespace toprope::trace
