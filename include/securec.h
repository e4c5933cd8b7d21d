// Copies that know how large their destination is: the bounded memory and string functions that host code of
// operators takes from CANN's libc_sec. They answer EOK, or an error and a destination that is emptied where
// it has a size. Source: C11 annex K, whose names and arguments these are.
#ifndef TOPROPE_SECUREC_H_
#define TOPROPE_SECUREC_H_

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int errno_t;
#ifndef EOK
#define EOK 0
#endif
#define EINVAL_AND_RESET 150
#define ERANGE_AND_RESET 162
#define EOVERLAP_AND_RESET 182
#define SECUREC_MEM_MAX_LEN 0x7fffffffUL
#define SECUREC_STRING_MAX_LEN 0x7fffffffUL

static inline errno_t memcpy_s(void *dest, size_t destMax, const void *src, size_t count) {
  if (destMax == 0 || destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
  if (!dest) return EINVAL;
  if (!src || count > destMax) {
    memset(dest, 0, destMax);
    return src ? ERANGE_AND_RESET : EINVAL_AND_RESET;
  }
  const uintptr_t to = (uintptr_t)dest, from = (uintptr_t)src;
  if (to != from && (to < from ? from - to : to - from) < count) {
    memset(dest, 0, destMax);
    return EOVERLAP_AND_RESET;
  }
  memmove(dest, src, count);
  return EOK;
}

static inline errno_t memmove_s(void *dest, size_t destMax, const void *src, size_t count) {
  if (destMax == 0 || destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
  if (!dest) return EINVAL;
  if (!src || count > destMax) {
    memset(dest, 0, destMax);
    return src ? ERANGE_AND_RESET : EINVAL_AND_RESET;
  }
  memmove(dest, src, count);
  return EOK;
}

static inline errno_t memset_s(void *dest, size_t destMax, int c, size_t count) {
  if (destMax == 0 || destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
  if (!dest) return EINVAL;
  memset(dest, c, count < destMax ? count : destMax);
  return count <= destMax ? EOK : ERANGE_AND_RESET;
}

static inline errno_t strncpy_s(char *strDest, size_t destMax, const char *strSrc, size_t count) {
  if (destMax == 0 || destMax > SECUREC_STRING_MAX_LEN) return ERANGE;
  if (!strDest) return EINVAL;
  const size_t length = strSrc ? strnlen(strSrc, count) : 0;
  if (!strSrc || length >= destMax) {
    strDest[0] = '\0';
    return strSrc ? ERANGE_AND_RESET : EINVAL_AND_RESET;
  }
  memmove(strDest, strSrc, length);
  strDest[length] = '\0';
  return EOK;
}

static inline errno_t strcpy_s(char *strDest, size_t destMax, const char *strSrc) {
  return strncpy_s(strDest, destMax, strSrc, SECUREC_STRING_MAX_LEN);
}

static inline errno_t strcat_s(char *strDest, size_t destMax, const char *strSrc) {
  if (destMax == 0 || destMax > SECUREC_STRING_MAX_LEN) return ERANGE;
  if (!strDest) return EINVAL;
  const size_t length = strnlen(strDest, destMax);
  const errno_t error =
      length == destMax ? EINVAL_AND_RESET : strcpy_s(strDest + length, destMax - length, strSrc);
  if (error != EOK) strDest[0] = '\0';
  return error;
}

// Characters written, -1 when the text does not fit; the destination is then empty.
static inline int vsprintf_s(char *strDest, size_t destMax, const char *format, va_list arguments) {
  if (!strDest || !format || destMax == 0 || destMax > SECUREC_STRING_MAX_LEN) return -1;
  const int length = vsnprintf(strDest, destMax, format, arguments);
  if (length < 0 || (size_t)length >= destMax) {
    strDest[0] = '\0';
    return -1;
  }
  return length;
}

__attribute__((format(printf, 3, 4))) static inline int sprintf_s(char *strDest, size_t destMax,
                                                                  const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsprintf_s(strDest, destMax, format, arguments);
  va_end(arguments);
  return length;
}

// At most `count` characters are written; -1 when the text has more, which are cut off.
__attribute__((format(printf, 4, 5))) static inline int snprintf_s(char *strDest, size_t destMax,
                                                                   size_t count, const char *format, ...) {
  if (!strDest || !format || destMax == 0 || destMax > SECUREC_STRING_MAX_LEN || count >= destMax) return -1;
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(strDest, count + 1, format, arguments);
  va_end(arguments);
  return length < 0 || (size_t)length > count ? -1 : length;
}

#endif
