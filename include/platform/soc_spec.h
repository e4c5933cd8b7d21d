// The architecture of a chip's cores. Source: Ascend C API, GetCurNpuArch.
#pragma once

enum class NpuArch {
  DAV_1001 = 1001,
  DAV_2002 = 2002,
  DAV_2201 = 2201,
  DAV_3002 = 3002,
  DAV_3510 = 3510,
  DAV_RESV
};
