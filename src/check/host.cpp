#include "check/host.h"

#include <algorithm>
#include <string>

#include "machine/ranges.h"
#include "machine/run.h"

namespace toprope::check {
namespace {

/// The task that the calling thread does.
struct Task {
  int32_t stream = Host::kHost;
  uint64_t number = 0;
};
thread_local Task current;

void compact(Intervals<Host::Touches>& page) { page.clear(); }  // forget: that may miss, and never makes up

}  // namespace

uint64_t Host::Clock::of(int32_t stream) const {
  const auto i = static_cast<size_t>(stream);
  return i < tasks.size() ? tasks[i] : 0;
}

void Host::Clock::raise(int32_t stream, uint64_t task) {
  const auto i = static_cast<size_t>(stream);
  if (tasks.size() <= i) tasks.resize(i + 1);
  tasks[i] = std::max(tasks[i], task);
}

void Host::Clock::join(const Clock& other) {
  for (size_t i = 0; i < other.tasks.size(); ++i) raise(static_cast<int32_t>(i), other.tasks[i]);
  host = std::max(host, other.host);
}

uint32_t Host::event_of(const Event& event) {
  const auto [it, fresh] = event_ids_.try_emplace(event, static_cast<uint32_t>(events_.size()));
  if (fresh) events_.push_back(event);
  return it->second;
}

void Host::on_stream(const StreamEvent& e, Site) {
  if (e.kind == StreamEvent::Begin) {
    current = {e.stream, e.task};
    return;
  }
  std::lock_guard lock(mutex_);
  if (streams_.size() <= static_cast<size_t>(std::max(e.stream, e.other)))
    streams_.resize(static_cast<size_t>(std::max(e.stream, e.other)) + 1);
  Clock& own = streams_[static_cast<size_t>(e.stream)];
  switch (e.kind) {
    case StreamEvent::Submit:
      own.join(host_);
      pending_[{e.stream, e.task}] = own;
      own.raise(e.stream, e.task);
      break;
    case StreamEvent::End:
      pending_.erase({e.stream, e.task});
      current = {};
      break;
    case StreamEvent::After:
      own.join(streams_[static_cast<size_t>(e.other)]);
      own.raise(e.other, e.task);
      break;
    case StreamEvent::Synchronise: {
      Clock theirs = own;
      theirs.host = 0;
      if (static_cast<size_t>(e.stream) < theirs.tasks.size())
        theirs.tasks[static_cast<size_t>(e.stream)] = e.task;
      host_.join(theirs);
      break;
    }
    case StreamEvent::Begin:
      break;
  }
}

void Host::on_launch(const Launch& launch, bool begins) {
  if (begins) {
    launch_.clear();
    return;
  }
  if (current.stream == kHost) return;
  std::lock_guard lock(mutex_);
  const auto found = pending_.find({current.stream, current.number});
  if (found == pending_.end()) return;
  launch_.look(0, ~uint64_t{0}, [&](const Footprint& f, uint64_t begin, uint64_t end) {
    for (const bool write : {false, true}) {
      const uint32_t number = write ? f.write : f.read;
      if (!number) continue;
      const auto& [instruction, site] = instructions_[number];
      const uint32_t event = event_of({Event::Device, instruction->name, site, launch.kernel});
      touch(found->second, {current.stream, current.number, event}, write, begin, end);
    }
  });
}

void Host::on_instruction(Core&, const Instruction& instruction, std::span<const Access> accesses,
                          Site site) {
  if (current.stream == kHost) return;
  for (const Access& a : accesses) {
    if (a.slice.mem != Mem::GM) continue;
    const uint32_t event = instructions_.of(instruction, site);
    for_each_range(a, [&](uint64_t begin, uint64_t end) {
      launch_.update(begin, end,
                     [&](Footprint& f, uint64_t, uint64_t) { (a.write ? f.write : f.read) = event; });
    });
  }
}

void Host::on_host(const HostEvent& e, Site site) {
  if (e.kind == HostEvent::RefusedFree) return;  // Leak's
  if (e.kind == HostEvent::RefusedCopy) {
    Finding f;
    f.check = "host";
    f.rule = "host.copy";
    f.message = e.message;
    f.cure = "look at what the call returns: nothing was copied";
    f.places = {{std::string(e.api) + " is called here", e.api, site}};
    reporter().add(std::move(f));
    return;
  }
  std::lock_guard lock(mutex_);
  if (e.kind == HostEvent::Allocate) {
    memory_.forget(e.at, e.at + e.bytes);
    return;
  }
  const Event::Kind kind = e.kind == HostEvent::Free   ? Event::Free
                           : e.kind == HostEvent::Read ? Event::Read
                                                       : Event::Write;
  const uint32_t event = event_of({kind, e.api, site, nullptr});
  if (current.stream == kHost) {
    touch(host_, {kHost, ++host_.host, event}, e.kind != HostEvent::Read, e.at, e.at + e.bytes);
  } else if (const auto found = pending_.find({current.stream, current.number}); found != pending_.end()) {
    touch(found->second, {current.stream, current.number, event}, e.kind != HostEvent::Read, e.at,
          e.at + e.bytes);
  }
}

void Host::touch(const Clock& clock, const Moment& now, bool write, uint64_t begin, uint64_t end) {
  const auto ordered = [&](const Moment& earlier) {
    if (earlier.when == 0 || earlier.stream == now.stream) return true;
    return earlier.when <= (earlier.stream == kHost ? clock.host : clock.of(earlier.stream));
  };
  const auto visit = [&](Touches& t, uint64_t, uint64_t) {
    if (!ordered(t.write)) report(t.write, true, now, write);
    if (write) {
      for (const Moment& read : t.reads)
        if (!ordered(read)) report(read, false, now, true);
      t = {now, {}};
      return;
    }
    Moment* place =
        std::ranges::find_if(t.reads, [&](const Moment& m) { return m.when == 0 || m.stream == now.stream; });
    if (place == std::end(t.reads)) place = &t.reads[0];
    *place = now;
  };
  memory_.update(begin, end, visit, compact);
}

void Host::report(const Moment& earlier, bool earlier_writes, const Moment& now, bool write) {
  const bool host_is_now = now.stream == kHost;
  const Moment& host = host_is_now || earlier.stream != kHost ? now : earlier;
  const Moment& work = &host == &now ? earlier : now;
  const Event &one = events_[host.event], &two = events_[work.event];
  const bool host_writes = &host == &now ? write : earlier_writes,
             work_writes = &host == &now ? earlier_writes : write;
  const auto doing = [](const Event& e, bool writes) {
    if (e.kernel)
      return "kernel " + std::string(e.kernel) + (writes ? " may still write" : " may still read");
    return std::string(e.name) + (writes ? " may still write" : " may still read");
  };
  Finding f;
  f.check = f.group = "host";
  if (host.stream == kHost) {
    f.rule = one.kind == Event::Free ? "host.free" : one.kind == Event::Read ? "host.read" : "host.write";
    f.message = std::string(one.name) +
                (one.kind == Event::Free   ? " frees"
                 : one.kind == Event::Read ? " reads"
                                           : " writes") +
                " memory that " + doing(two, work_writes) + " on stream " + std::to_string(work.stream) +
                ": nobody has waited for the stream";
    f.cure = "call aclrtSynchronizeStream between the work and " + std::string(one.name);
  } else {
    f.rule = "host.streams";
    f.message = std::string(one.kernel ? "kernel " : "") + (one.kernel ? one.kernel : one.name) +
                " on stream " + std::to_string(host.stream) + (host_writes ? " writes" : " reads") +
                " memory that " + doing(two, work_writes) + " on stream " + std::to_string(work.stream);
    f.cure =
        "record an event behind the first work (aclrtRecordEvent) and let the other stream wait for it "
        "(aclrtStreamWaitEvent)";
  }
  f.places = {{std::string(one.name) + " here", one.name, one.site},
              {std::string(two.name) + (work_writes ? " writes here" : " reads here"), two.name, two.site}};
  if (two.kernel) f.kernel = two.kernel;
  reporter().add(std::move(f));
}

}  // namespace toprope::check
