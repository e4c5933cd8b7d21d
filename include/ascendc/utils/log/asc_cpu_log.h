// Lines in the log from host code, as tiling functions are. They go where all of the program's log goes, if
// ASCEND_GLOBAL_LOG_LEVEL admits their level. Source: Ascend C API, utilities, ASC_CPU_LOG.
#pragma once
#include "toprope/machine/log.h"

#define ASC_CPU_LOG_DEBUG(format, ...) \
  ::toprope::log_line(0, __FILE__, __LINE__, __FUNCTION__, format, ##__VA_ARGS__)
#define ASC_CPU_LOG_INFO(format, ...) \
  ::toprope::log_line(1, __FILE__, __LINE__, __FUNCTION__, format, ##__VA_ARGS__)
#define ASC_CPU_LOG_WARNING(format, ...) \
  ::toprope::log_line(2, __FILE__, __LINE__, __FUNCTION__, format, ##__VA_ARGS__)
#define ASC_CPU_LOG_ERROR(format, ...) \
  ::toprope::log_line(3, __FILE__, __LINE__, __FUNCTION__, format, ##__VA_ARGS__)
