// What a tiling function reads and answers. Source: metadef API, TilingContext.
#pragma once
#include "exe_graph/runtime/node.h"
#include "exe_graph/runtime/tiling_data.h"

namespace fe {
class PlatFormInfos;
}

namespace gert {

class TilingContext : public NodeContext {
 public:
  /// Bytes of tiling data that a call may have.
  static constexpr size_t kTilingCapacity = 64 * 1024;

  /// `platform` null: the chip of TOPROPE_SOC.
  explicit TilingContext(Node& node, fe::PlatFormInfos* platform = nullptr)
      : NodeContext(node), platform_(platform), tiling_(kTilingCapacity) {}

  const StorageShape* GetInputShape(size_t index) const { return shape(node_.inputs.at(index)); }
  const StorageShape* GetRequiredInputShape(size_t ir_index) const {
    return shape(node_.inputs.at(ir_index, 0));
  }
  const StorageShape* GetOptionalInputShape(size_t ir_index) const {
    return shape(node_.inputs.at(ir_index, 0));
  }
  const StorageShape* GetDynamicInputShape(size_t ir_index, size_t relative_index) const {
    return shape(node_.inputs.at(ir_index, relative_index));
  }
  const StorageShape* GetOutputShape(size_t index) const { return shape(node_.outputs.at(index)); }

  /// The struct that the kernel reads, zeroed at first; null when it has more than kTilingCapacity bytes.
  template <class T>
  T* GetTilingData() {
    if (sizeof(T) > tiling_.GetCapacity()) return nullptr;
    tiling_.SetDataSize(sizeof(T));
    return static_cast<T*>(tiling_.GetData());
  }
  TilingData* GetRawTilingData() { return &tiling_; }
  fe::PlatFormInfos* GetPlatformInfo() const { return platform_; }

  /// Sizes of `workspace_count` workspaces in bytes, for the function to set. They are given to the kernel as
  /// one piece.
  size_t* GetWorkspaceSizes(size_t workspace_count) {
    workspaces_.resize(workspace_count);
    return workspaces_.data();
  }
  size_t GetWorkspaceNum() const { return workspaces_.size(); }

  ge::graphStatus SetSimdNumBlocks(uint32_t blocks) { return set(blocks_, blocks); }
  ge::graphStatus SetBlockDim(uint32_t blocks) { return set(blocks_, blocks); }
  uint32_t GetBlockDim() const { return blocks_; }
  ge::graphStatus SetTilingKey(uint64_t key) { return set(key_, key); }
  uint64_t GetTilingKey() const { return key_; }
  /// Whether all blocks must run together (1); here they always do.
  ge::graphStatus SetScheduleMode(uint32_t mode) { return set(schedule_mode_, mode); }
  uint32_t GetScheduleMode() const { return schedule_mode_; }
  /// Whether the outputs of InitValue are filled before the kernel.
  ge::graphStatus SetNeedAtomic(bool need) { return set(need_atomic_, need); }
  bool NeedAtomic() const { return need_atomic_; }
  ge::graphStatus SetTilingCond(int32_t condition) { return set(condition_, condition); }
  int32_t GetTilingCond() const { return condition_; }
  /// Bytes of dynamically sized local memory.
  ge::graphStatus SetLocalMemorySize(uint32_t size) { return set(local_memory_, size); }
  uint32_t GetLocalMemorySize() const { return local_memory_; }
  /// 0: results may differ from run to run.
  int32_t GetDeterministic() const { return 0; }

 private:
  template <class T>
  static ge::graphStatus set(T& member, T value) {
    member = value;
    return ge::GRAPH_SUCCESS;
  }

  fe::PlatFormInfos* platform_;
  TilingData tiling_;
  std::vector<size_t> workspaces_;
  uint64_t key_ = 0;
  uint32_t blocks_ = 0, schedule_mode_ = 0, local_memory_ = 0;
  int32_t condition_ = 0;
  bool need_atomic_ = false;
};

/// What a tiling-parse function gets; nothing is compiled before a call here, so none is ever run.
class TilingParseContext;

}  // namespace gert
