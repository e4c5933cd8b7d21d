#include <cstring>
#include <numeric>

#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

size_t free_bytes() {
  size_t free = 0, total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  EXPECT_EQ(total, 256 * kMiB);
  return free;
}

class Memory : public Acl {};

TEST_F(Memory, AlignedAndUsableAtEverySize) {
  for (size_t size : {size_t{1}, size_t{31}, size_t{512}, size_t{513}, kMiB - 1, kMiB, 3 * kMiB + 5}) {
    auto* bytes = device_array<unsigned char>(size);
    ASSERT_NE(bytes, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 512, 0u) << size;
    ASSERT_EQ(aclrtMemset(bytes, size, 0x5a, size), ACL_SUCCESS);
    EXPECT_EQ(bytes[0], 0x5a);
    EXPECT_EQ(bytes[size - 1], 0x5a);
    EXPECT_EQ(aclrtFree(bytes), ACL_SUCCESS);
  }
}

TEST_F(Memory, RefusesNothing) {
  void* address = nullptr;
  EXPECT_EQ(aclrtMalloc(&address, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMallocHost(&address, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Memory, AccountIsPerDeviceAndExact) {
  const size_t before = free_bytes();
  void* address = device_array<char>(12345);
  EXPECT_EQ(free_bytes(), before - 12345);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(free_bytes(), 256 * kMiB);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(address), ACL_SUCCESS);
  EXPECT_EQ(free_bytes(), before);
  aclrtMemUsageInfo info;
  size_t count = 0;
  ASSERT_EQ(aclrtGetMemUsageInfo(0, &info, 1, &count), ACL_SUCCESS);
  EXPECT_EQ(info.curMemSize, 256 * kMiB - before);
  EXPECT_GE(info.memPeakSize, info.curMemSize + 12345);
}

TEST_F(Memory, OutOfMemoryIsTheRealError) {
  void *first = nullptr, *second = nullptr;
  const size_t most = free_bytes();
  ASSERT_EQ(aclrtMalloc(&first, most, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtMalloc(&second, 1, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT_EQ(second, nullptr);
  EXPECT_TRUE(
      contains(message(), "out of memory on device 0: 1 bytes asked for, 268435456 of 268435456 in use"));
  ASSERT_EQ(aclrtFree(first), ACL_SUCCESS);
  EXPECT_EQ(aclrtMalloc(&second, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  ASSERT_EQ(aclrtMalloc(&second, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(second), ACL_SUCCESS);
}

TEST_F(Memory, WrongFreesAreNamed) {
  void* allocated = nullptr;
  ASSERT_EQ(aclrtMalloc(&allocated, 100, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  char* address = static_cast<char*>(allocated);
  EXPECT_EQ(aclrtFree(address + 4), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_TRUE(contains(message(), "lies 4 bytes inside device memory of 100 bytes"));
  EXPECT_EQ(aclrtFreeHost(address), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtFree(address), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(address), ACL_ERROR_RT_PARAM_INVALID);
  const std::string text = message();
  EXPECT_TRUE(contains(text, "double free") && contains(text, "memory_test.cpp")) << text;
  int local = 0;
  EXPECT_EQ(aclrtFree(&local), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_TRUE(contains(message(), "was not allocated by this runtime"));
  void* host = nullptr;
  ASSERT_EQ(aclrtMallocHost(&host, 64), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(host), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_TRUE(contains(message(), "aclrtFreeHost frees it"));
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

TEST_F(Memory, CopiesThereAndBack) {
  std::vector<int> out(1000), in(1000);
  std::iota(in.begin(), in.end(), 7);
  const size_t bytes = in.size() * sizeof(int);
  int *a = device_array<int>(1000), *b = device_array<int>(1000);
  ASSERT_EQ(aclrtMemcpy(a, bytes, in.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(b, bytes, a, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(out.data(), bytes, b, bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(out, in);
  EXPECT_EQ(aclrtFree(a), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(b), ACL_SUCCESS);
}

TEST_F(Memory, CopiesBetweenDevices) {
  int* here = device_array<int>(4);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  int* there = device_array<int>(4);
  const int values[4] = {1, 2, 3, 4};
  ASSERT_EQ(aclrtMemcpy(here, 16, values, 16, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(there, 16, here, 16, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(std::memcmp(there, values, 16), 0);
  EXPECT_EQ(aclrtFree(here), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(there), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
}

TEST_F(Memory, CopyChecksRoomBoundsAndSides) {
  void* allocated = nullptr;
  ASSERT_EQ(aclrtMalloc(&allocated, 100, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  char* device = static_cast<char*>(allocated);
  char host[200] = {};
  EXPECT_EQ(aclrtMemcpy(device, 50, host, 100, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_TRUE(contains(message(), "100 bytes do not fit in the 50"));
  EXPECT_EQ(aclrtMemcpy(device, 200, host, 101, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  const std::string text = message();
  EXPECT_TRUE(contains(text, "leave device memory of 100 bytes") && contains(text, "memory_test.cpp"))
      << text;
  EXPECT_EQ(aclrtMemcpy(device + 60, 200, host, 41, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_TRUE(contains(message(), "40 bytes are left"));
  EXPECT_EQ(aclrtMemcpy(device + 60, 200, host, 40, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(host, 100, device, 100, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_TRUE(contains(message(), "dst = ")) << "the destination is host memory";
  EXPECT_EQ(aclrtMemcpy(device, 100, device, 100, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_TRUE(contains(message(), "must be host memory"));
  EXPECT_EQ(aclrtMemcpy(device, 100, nullptr, 100, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy(host, 100, device, 100, ACL_MEMCPY_DEFAULT), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(host, 100, device, 100, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_TRUE(contains(message(), "is freed already"));
}

TEST_F(Memory, CopiesRows) {
  // 2 rows of 3 bytes out of a pitch of 4 into a pitch of 5.
  char* device = device_array<char>(10);
  ASSERT_EQ(aclrtMemset(device, 10, '.', 10), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy2d(device, 5, "abc-def", 4, 3, 2, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  EXPECT_EQ(std::string(device, 10), "abc..def..");
  EXPECT_EQ(aclrtMemcpy2d(device, 2, "abc-def", 4, 3, 2, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2d(device, 8, "abc-def", 4, 3, 2, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
}

TEST_F(Memory, CopiesBatches) {
  char* device = device_array<char>(8);
  char host[5] = "abcd", back[4] = {};
  void *dsts[] = {device, device + 4, back}, *srcs[] = {host, host + 2, device};
  size_t rooms[] = {4, 4, 4}, sizes[] = {2, 2, 4}, indexes[] = {0, 2}, failed = 0;
  aclrtMemcpyBatchAttr attrs[2] = {};
  attrs[0].dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attrs[1].srcLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  ASSERT_EQ(aclrtMemset(device, 8, '.', 8), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyBatch(dsts, rooms, srcs, sizes, 3, attrs, indexes, 2, &failed), ACL_SUCCESS);
  EXPECT_EQ(std::string(device, 8), "ab..cd..");
  EXPECT_EQ(std::string(back, 4), "ab..");
  rooms[1] = 1;
  EXPECT_EQ(aclrtMemcpyBatch(dsts, rooms, srcs, sizes, 3, attrs, indexes, 2, &failed),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(failed, 1u);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
}

TEST_F(Memory, PointersKnowWhereTheyAre) {
  void* host = nullptr;
  int local = 0;
  char* device = device_array<char>(64);
  ASSERT_EQ(aclrtMallocHost(&host, 64), ACL_SUCCESS);
  aclrtPtrAttributes attributes;
  ASSERT_EQ(aclrtPointerGetAttributes(device + 63, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(attributes.location.id, 0u);
  ASSERT_EQ(aclrtPointerGetAttributes(host, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
  ASSERT_EQ(aclrtPointerGetAttributes(&local, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  void* base = nullptr;
  size_t size = 0;
  ASSERT_EQ(aclrtMemGetAddressRange(device + 10, &base, &size), ACL_SUCCESS);
  EXPECT_EQ(base, device);
  EXPECT_EQ(size, 64u);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

TEST_F(Memory, RegistersHostMemory) {
  std::vector<char> mine(4096);
  void* seen = nullptr;
  ASSERT_EQ(aclrtHostRegister(mine.data(), mine.size(), ACL_HOST_REGISTER_MAPPED, &seen), ACL_SUCCESS);
  EXPECT_EQ(seen, mine.data());
  EXPECT_EQ(aclrtHostRegisterV2(mine.data(), mine.size(), ACL_HOST_REG_MAPPED),
            ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(aclrtHostGetDevicePointer(mine.data(), &seen, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostUnregister(mine.data()), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostUnregister(mine.data()), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(Memory, MapsPhysicalMemoryIntoReservedAddresses) {
  const size_t before = free_bytes();
  void* range = nullptr;
  ASSERT_EQ(aclrtReserveMemAddress(&range, 8 * kMiB, 0, nullptr, 1), ACL_SUCCESS);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(range) % (2 * kMiB), 0u);
  aclrtPhysicalMemProp prop{};
  prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  aclrtDrvMemHandle first, second;
  EXPECT_EQ(aclrtMallocPhysical(&first, kMiB, &prop, 0), ACL_ERROR_RT_PARAM_INVALID)
      << "not a multiple of 2 MiB";
  ASSERT_EQ(aclrtMallocPhysical(&first, 2 * kMiB, &prop, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocPhysical(&second, 2 * kMiB, &prop, 0), ACL_SUCCESS);
  EXPECT_EQ(free_bytes(), before - 4 * kMiB);
  char* bytes = static_cast<char*>(range);
  ASSERT_EQ(aclrtMapMem(bytes, 2 * kMiB, 0, first, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMapMem(bytes + 2 * kMiB, 2 * kMiB, 0, second, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMapMem(bytes, 2 * kMiB, 0, second, 0), ACL_ERROR_RT_PARAM_INVALID) << "mapped already";
  EXPECT_EQ(aclrtMapMem(bytes + 8 * kMiB, 2 * kMiB, 0, second, 0), ACL_ERROR_RT_PARAM_INVALID)
      << "not reserved";
  ASSERT_EQ(aclrtMapMem(bytes + 6 * kMiB, 2 * kMiB, 0, first, 0), ACL_SUCCESS) << "the same memory twice";
  // Neighbouring blocks are one range for copies; the same memory shows at both places.
  ASSERT_EQ(aclrtMemset(bytes, 4 * kMiB, 0x11, 4 * kMiB), ACL_SUCCESS) << message();
  EXPECT_EQ(bytes[6 * kMiB], 0x11);
  EXPECT_EQ(aclrtMemset(bytes, 8 * kMiB, 0x11, 5 * kMiB), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_ERROR_RT_PARAM_INVALID) << "still mapped";
  for (size_t at : {0, 2, 6}) EXPECT_EQ(aclrtUnmapMem(bytes + at * kMiB), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnmapMem(bytes), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreePhysical(first), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(first), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreePhysical(second), ACL_SUCCESS);
  EXPECT_EQ(free_bytes(), before);
  EXPECT_EQ(aclrtReleaseMemAddress(range), ACL_SUCCESS);
}

}  // namespace
}  // namespace toprope::test
