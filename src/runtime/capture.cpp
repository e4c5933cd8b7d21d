// aclmdlRI*: capturing streams into graphs, running graphs, replacing parts of them.
#include <cstdio>

#include "acl/acl_rt.h"
#include "runtime/context.h"
#include "runtime/graph.h"
#include "runtime/handle.h"
#include "runtime/stream.h"

using namespace toprope;

namespace {

/// A task group of the thread's capture that is open, or an update under way.
struct OpenGroup {
  Stream* stream = nullptr;
  size_t first = 0;
};

struct Update {
  Stream* stream = nullptr;
  std::shared_ptr<Graph> graph;
  TaskGroup group;
  std::vector<Task> tasks;
  Recording recording;
};

thread_local OpenGroup open_group;
thread_local std::unique_ptr<Update> update;
thread_local aclmdlRICaptureMode capture_mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;

Graph* find_graph(const char* api, aclmdlRI handle, aclError& error) {
  Graph* graph = Handles<Graph>::get(handle);
  error = graph
              ? ACL_SUCCESS
              : fail(ACL_ERROR_RT_PARAM_INVALID, api, "graph {} does not exist (any more)", fmt::ptr(handle));
  return graph;
}

/// The graph's handle while it is under construction; it becomes the user's when the capture ends.
struct Building {
  std::shared_ptr<Graph> graph;
  aclmdlRI handle;
};
std::mutex building_mutex;
std::vector<Building> building;

aclmdlRI building_handle(const Graph* graph) {
  std::lock_guard lock(building_mutex);
  for (const Building& b : building)
    if (b.graph.get() == graph) return b.handle;
  return nullptr;
}

void submit_graph(Stream& on, Graph& graph) {
  std::lock_guard lock(graph.mutex);
  for (Task& task : graph.tasks) {
    if (on.fault() && !task.always) continue;
    task.work(on);
  }
}

aclError execute(const char* api, aclmdlRI handle, aclrtStream stream_handle, Stream** used) {
  aclError error;
  Graph* graph = find_graph(api, handle, error);
  if (!graph) return error;
  if (graph->capturing())
    return fail(ACL_ERROR_RT_MODEL_CAPTURED, api, "graph {} is still being captured", graph->id);
  Stream* stream = find_stream(api, stream_handle, error);
  if (!stream) return error;
  if (used) *used = stream;
  return stream->submit(
      api, {"graph", [kept = graph->shared_from_this()](Stream& on) { submit_graph(on, *kept); }});
}

}  // namespace

extern "C" {

aclError aclmdlRICaptureBegin(aclrtStream handle, aclmdlRICaptureMode) {
  constexpr const char* api = "aclmdlRICaptureBegin";
  return guarded(api, [&]() -> aclError {
    if (!handle)
      return fail(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, api,
                  "the default stream cannot be captured; create a stream for it");
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    if (stream->recording())
      return fail(ACL_ERROR_RT_STREAM_CAPTURED, api, "stream {} is being captured already", stream->id);
    auto graph = std::make_shared<Graph>();
    graph->capture(*stream);
    std::lock_guard lock(building_mutex);
    building.push_back({graph, Handles<Graph>::make(graph)});
    return ACL_SUCCESS;
  });
}

aclError aclmdlRICaptureGetInfo(aclrtStream handle, aclmdlRICaptureStatus* status, aclmdlRI* model) {
  constexpr const char* api = "aclmdlRICaptureGetInfo";
  if (!status) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "status is null");
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    const Recording* recording = stream->recording();
    Graph* graph = recording ? recording->graph.get() : nullptr;
    *status = !graph           ? ACL_MODEL_RI_CAPTURE_STATUS_NONE
              : graph->valid() ? ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE
                               : ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;
    if (model) *model = graph ? building_handle(graph) : nullptr;
    return ACL_SUCCESS;
  });
}

aclError aclmdlRICaptureEnd(aclrtStream handle, aclmdlRI* model) {
  constexpr const char* api = "aclmdlRICaptureEnd";
  if (!model) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "modelRI is null");
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    const Recording* recording = stream->recording();
    if (!recording || !recording->graph)
      return fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED, api, "stream {} is not being captured", stream->id);
    const std::shared_ptr<Graph> graph = recording->graph;
    if (!graph->started_on(*stream))
      return fail(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED, api,
                  "stream {} only joined the capture; end it on the stream where it began", stream->id);
    graph->end();
    *model = nullptr;
    {
      std::lock_guard lock(building_mutex);
      std::erase_if(building, [&](const Building& b) {
        if (b.graph == graph) *model = b.handle;
        return b.graph == graph;
      });
    }
    if (graph->valid()) return ACL_SUCCESS;
    Handles<Graph>::drop(*model);
    *model = nullptr;
    return fail(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, api,
                "the capture met a call that cannot be captured (a synchronisation)");
  });
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
  if (!mode || *mode > ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
    return fail(ACL_ERROR_RT_PARAM_INVALID, "aclmdlRICaptureThreadExchangeMode", "mode is null or unknown");
  std::swap(*mode, capture_mode);
  return ACL_SUCCESS;
}

aclError aclmdlRIExecuteAsync(aclmdlRI model, aclrtStream stream) {
  return guarded("aclmdlRIExecuteAsync",
                 [&] { return execute("aclmdlRIExecuteAsync", model, stream, nullptr); });
}

aclError aclmdlRIExecute(aclmdlRI model, int32_t timeout) {
  return guarded("aclmdlRIExecute", [&]() -> aclError {
    Stream* stream = nullptr;
    const aclError error = execute("aclmdlRIExecute", model, nullptr, &stream);
    return error ? error : stream->synchronize("aclmdlRIExecute", timeout);
  });
}

aclError aclmdlRIDestroy(aclmdlRI model) {
  aclError error;
  Graph* graph = find_graph("aclmdlRIDestroy", model, error);
  if (!graph) return error;
  if (graph->capturing())
    return fail(ACL_ERROR_RT_MODEL_CAPTURED, "aclmdlRIDestroy", "graph {} is still being captured",
                graph->id);
  Handles<Graph>::drop(model);
  return ACL_SUCCESS;
}

aclError aclmdlRIGetId(aclmdlRI model, uint32_t* id) {
  if (!id) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclmdlRIGetId", "modelRIId is null");
  aclError error;
  if (Graph* graph = find_graph("aclmdlRIGetId", model, error)) *id = graph->id;
  return error;
}

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream handle) {
  constexpr const char* api = "aclmdlRICaptureTaskGrpBegin";
  aclError error;
  Stream* stream = find_stream(api, handle, error);
  if (!stream) return error;
  const Recording* recording = stream->recording();
  if (!recording || !recording->graph)
    return fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED, api, "stream {} is not being captured", stream->id);
  if (open_group.stream)
    return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, api, "a task group is open already on this thread");
  open_group = {stream, recording->tasks->size()};
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureTaskGrpEnd(aclrtStream handle, aclrtTaskGrp* group) {
  constexpr const char* api = "aclmdlRICaptureTaskGrpEnd";
  if (!group) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "handle is null");
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    const Recording* recording = stream->recording();
    if (open_group.stream != stream || !recording || !recording->graph)
      return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, api, "no task group is open on stream {}", stream->id);
    auto made = std::make_shared<TaskGroup>();
    made->graph = recording->graph;
    made->first = open_group.first;
    made->count = recording->tasks->size() - open_group.first;
    open_group = {};
    *group = Handles<TaskGroup>::make(std::move(made));
    std::lock_guard lock(recording->graph->mutex);
    recording->graph->groups.push_back(*group);
    return ACL_SUCCESS;
  });
}

aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream handle, aclrtTaskGrp group) {
  constexpr const char* api = "aclmdlRICaptureTaskUpdateBegin";
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    TaskGroup* found = Handles<TaskGroup>::get(group);
    std::shared_ptr<Graph> graph = found ? found->graph.lock() : nullptr;
    if (!graph || graph->capturing())
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "task group {} belongs to no finished graph",
                  fmt::ptr(group));
    if (update || stream->recording())
      return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, api, "stream {} is captured or updating already",
                  stream->id);
    update = std::make_unique<Update>();
    update->stream = stream;
    update->graph = std::move(graph);
    update->group = *found;
    update->recording.tasks = &update->tasks;
    stream->record_into(&update->recording);
    return ACL_SUCCESS;
  });
}

aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream handle) {
  constexpr const char* api = "aclmdlRICaptureTaskUpdateEnd";
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    if (!update || update->stream != stream)
      return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, api, "no update is open on stream {}", stream->id);
    const std::unique_ptr<Update> done = std::move(update);
    stream->record_into(nullptr);
    if (done->tasks.size() != done->group.count)
      return fail(ACL_ERROR_RT_MODEL_UPDATE_FAILED, api, "the group has {} tasks, the update brought {}",
                  done->group.count, done->tasks.size());
    std::lock_guard lock(done->graph->mutex);
    std::move(done->tasks.begin(), done->tasks.end(),
              done->graph->tasks.begin() + static_cast<ptrdiff_t>(done->group.first));
    return ACL_SUCCESS;
  });
}

aclError aclmdlRIDebugPrint(aclmdlRI model) {
  aclError error;
  Graph* graph = find_graph("aclmdlRIDebugPrint", model, error);
  if (!graph) return error;
  std::lock_guard lock(graph->mutex);
  std::printf("graph %u: %zu tasks\n", graph->id, graph->tasks.size());
  for (size_t i = 0; i < graph->tasks.size(); ++i) std::printf("  %zu %s\n", i, graph->tasks[i].label);
  return ACL_SUCCESS;
}

aclError aclmdlRIDebugJsonPrint(aclmdlRI model, const char* path, uint32_t) {
  constexpr const char* api = "aclmdlRIDebugJsonPrint";
  aclError error;
  Graph* graph = find_graph(api, model, error);
  if (!graph) return error;
  FILE* file = path ? std::fopen(path, "w") : nullptr;
  if (!file) return fail(ACL_ERROR_RT_FILE_OPEN, api, "cannot write \"{}\"", path ? path : "(null)");
  std::lock_guard lock(graph->mutex);
  std::fprintf(file, "{\"graph\": %u, \"tasks\": [", graph->id);
  for (size_t i = 0; i < graph->tasks.size(); ++i)
    std::fprintf(file, "%s\n  {\"id\": %zu, \"kind\": \"%s\"}", i ? "," : "", i, graph->tasks[i].label);
  std::fprintf(file, "\n]}\n");
  if (std::fclose(file)) return fail(ACL_ERROR_RT_FILE_WRITE, api, "writing \"{}\" failed", path);
  return ACL_SUCCESS;
}

}  // extern "C"
