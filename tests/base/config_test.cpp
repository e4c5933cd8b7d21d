#include "base/config.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace toprope {
namespace {

std::map<std::string, std::string> environment;

Config read(std::map<std::string, std::string> variables) {
  environment = std::move(variables);
  return read_config([](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

/// What a refused environment says.
std::string refusal(const std::string& name, const std::string& value) {
  try {
    read({{name, value}});
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Config, DefaultsWhenNothingIsSet) {
  const Config c = read({});
  EXPECT_EQ(c.soc, "");
  EXPECT_EQ(c.devices, 1);
  EXPECT_EQ(c.stream, StreamMode::Eager);
  EXPECT_EQ(c.device_memory, 0u);
  EXPECT_EQ(c.log_level, 3);
}

TEST(Config, EmptyMeansUnset) { EXPECT_EQ(read({{"TOPROPE_DEVICES", ""}}).devices, 1); }

TEST(Config, ReadsEveryVariable) {
  const Config c = read({{"TOPROPE_SOC", "910B4"},
                         {"TOPROPE_DEVICES", "8"},
                         {"TOPROPE_STREAM", "lazy"},
                         {"TOPROPE_DEVICE_MEMORY", "3G"},
                         {"ASCEND_GLOBAL_LOG_LEVEL", "1"}});
  EXPECT_EQ(c.soc, "910B4");
  EXPECT_EQ(c.devices, 8);
  EXPECT_EQ(c.stream, StreamMode::Lazy);
  EXPECT_EQ(c.device_memory, 3221225472u);
  EXPECT_EQ(c.log_level, 1);
  EXPECT_EQ(read({{"TOPROPE_STREAM", "async"}}).stream, StreamMode::Async);
  EXPECT_EQ(read({{"TOPROPE_DEVICE_MEMORY", "1000"}}).device_memory, 1000u);
  EXPECT_EQ(read({{"TOPROPE_DEVICE_MEMORY", "5K"}}).device_memory, 5120u);
  EXPECT_EQ(read({{"TOPROPE_DEVICE_MEMORY", "2M"}}).device_memory, 2097152u);
}

TEST(Config, RefusesWithNameValueAndCure) {
  EXPECT_EQ(refusal("TOPROPE_DEVICES", "0"),
            "TOPROPE_DEVICES=0 is not accepted; use a number of devices, 1 to 64");
  for (const char* value : {"65", "-1", "two", "2x", "99999999999999999999"})
    EXPECT_NE(refusal("TOPROPE_DEVICES", value).find("1 to 64"), std::string::npos) << value;
  EXPECT_NE(refusal("TOPROPE_STREAM", "Eager").find("eager, async or lazy"), std::string::npos);
  for (const char* value : {"0", "G", "1T", "-5", "20000000000000000000", "99999999999G"})
    EXPECT_NE(refusal("TOPROPE_DEVICE_MEMORY", value).find("bytes"), std::string::npos) << value;
  EXPECT_NE(refusal("ASCEND_GLOBAL_LOG_LEVEL", "5").find("0 debug"), std::string::npos);
}

}  // namespace
}  // namespace toprope
