// aclopAttr: named values of a single operator.
#include <new>

#include "runtime/error.h"
#include "runtime/operator.h"

using namespace toprope;

namespace {

template <class Make>
aclError set(const char* api, aclopAttr* attr, const char* name, Make&& make) {
  if (!attr || !name || !*name)
    return fail(ACL_ERROR_INVALID_PARAM, api, "attr or attrName is null or empty");
  return guarded(api, [&]() -> aclError {
    attr->values.insert_or_assign(name, make());
    return ACL_SUCCESS;
  });
}

/// A list attribute: `count` values of type T made from `values`.
template <class T, class In>
aclError set_list(const char* api, aclopAttr* attr, const char* name, int count, const In* values) {
  if (count < 0 || (count > 0 && !values))
    return fail(ACL_ERROR_INVALID_PARAM, api, "numValues is {} and values is {}", count, fmt::ptr(values));
  return set(api, attr, name, [&]() -> AttrValue {
    std::vector<T> list;
    list.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) list.push_back(static_cast<T>(values[i]));
    return list;
  });
}

}  // namespace

extern "C" {

aclopAttr* aclopCreateAttr() { return new (std::nothrow) aclopAttr; }
void aclopDestroyAttr(const aclopAttr* attr) { delete attr; }

aclError aclopSetAttrBool(aclopAttr* attr, const char* name, uint8_t value) {
  return set("aclopSetAttrBool", attr, name, [&]() -> AttrValue { return value != 0; });
}
aclError aclopSetAttrInt(aclopAttr* attr, const char* name, int64_t value) {
  return set("aclopSetAttrInt", attr, name, [&]() -> AttrValue { return value; });
}
aclError aclopSetAttrFloat(aclopAttr* attr, const char* name, float value) {
  return set("aclopSetAttrFloat", attr, name, [&]() -> AttrValue { return value; });
}
aclError aclopSetAttrString(aclopAttr* attr, const char* name, const char* value) {
  if (!value) return fail(ACL_ERROR_INVALID_PARAM, "aclopSetAttrString", "attrValue is null");
  return set("aclopSetAttrString", attr, name, [&]() -> AttrValue { return std::string(value); });
}
aclError aclopSetAttrDataType(aclopAttr* attr, const char* name, aclDataType value) {
  return set("aclopSetAttrDataType", attr, name, [&]() -> AttrValue { return value; });
}

aclError aclopSetAttrListDataType(aclopAttr* attr, const char* name, int count, const aclDataType values[]) {
  return set_list<aclDataType>("aclopSetAttrListDataType", attr, name, count, values);
}
aclError aclopSetAttrListBool(aclopAttr* attr, const char* name, int count, const uint8_t* values) {
  return set_list<bool>("aclopSetAttrListBool", attr, name, count, values);
}
aclError aclopSetAttrListInt(aclopAttr* attr, const char* name, int count, const int64_t* values) {
  return set_list<int64_t>("aclopSetAttrListInt", attr, name, count, values);
}
aclError aclopSetAttrListFloat(aclopAttr* attr, const char* name, int count, const float* values) {
  return set_list<float>("aclopSetAttrListFloat", attr, name, count, values);
}
aclError aclopSetAttrListString(aclopAttr* attr, const char* name, int count, const char** values) {
  for (int i = 0; values && i < count; ++i)
    if (!values[i]) return fail(ACL_ERROR_INVALID_PARAM, "aclopSetAttrListString", "string {} is null", i);
  return set_list<std::string>("aclopSetAttrListString", attr, name, count, values);
}

aclError aclopSetAttrListListInt(aclopAttr* attr, const char* name, int lists, const int* counts,
                                 const int64_t* const values[]) {
  constexpr const char* api = "aclopSetAttrListListInt";
  if (lists < 0 || (lists > 0 && (!counts || !values)))
    return fail(ACL_ERROR_INVALID_PARAM, api, "numLists is {} and an array is null", lists);
  for (int i = 0; i < lists; ++i)
    if (counts[i] < 0 || (counts[i] > 0 && !values[i]))
      return fail(ACL_ERROR_INVALID_PARAM, api, "list {} has {} values at {}", i, counts[i],
                  fmt::ptr(values[i]));
  return set(api, attr, name, [&]() -> AttrValue {
    std::vector<std::vector<int64_t>> rows;
    for (int i = 0; i < lists; ++i) rows.emplace_back(values[i], values[i] + counts[i]);
    return rows;
  });
}

}  // extern "C"
