// `npu-smi info`: the chip that Toprope describes, in the table that scripts parse.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/soc.h"

namespace {

constexpr std::string_view kHelp =
    "usage: npu-smi info                        the devices as a table\n"
    "       npu-smi info -l                     their count and numbers\n"
    "       npu-smi info -m                     device, chip and logic numbers\n"
    "       npu-smi info -t board -i ID [-c 0]  the chip's name\n"
    "       npu-smi -v | -h\n"
    "Toprope describes the chip TOPROPE_SOC (default Ascend910B3), TOPROPE_DEVICES times.\n";

// "Ascend910_9391" is chip Ascend910 with NPU name 9391; "Ascend910B3" is known as 910B3.
struct Names {
  std::string chip, npu;
};
Names names() {
  const std::string_view name = toprope::soc().name;
  const size_t bar = name.find('_');
  if (bar != std::string_view::npos) {
    return {std::string(name.substr(0, bar)), std::string(name.substr(bar + 1))};
  }
  constexpr std::string_view kFamily = "Ascend";
  return {std::string(name.substr(0, kFamily.size()) == kFamily ? name.substr(kFamily.size()) : name), "NA"};
}

void line(std::string_view key, std::string_view value) { fmt::print("\t{:<31}: {}\n", key, value); }

void print_table() {
  const std::string rule =
      "+---------------------------+---------------+----------------------------------------------------+\n";
  const std::string heavy =
      "+===========================+===============+====================================================+\n";
  fmt::print(
      "+------------------------------------------------------------------------------------------------+\n");
  fmt::print("| {:<32} {:<61} |\n", "npu-smi " TOPROPE_VERSION, "Version: " TOPROPE_VERSION " (Toprope)");
  fmt::print("{}", rule);
  fmt::print("| {:<25} | {:<13} | {:<51}|\n", "NPU   Name", "Health",
             "Power(W)    Temp(C)           Hugepages-Usage(page)");
  fmt::print("| {:<25} | {:<13} | {:<50} |\n", "Chip", "Bus-Id",
             "AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)");
  fmt::print("{}", heavy);
  const std::string memory = fmt::format("{} / {}", 0, toprope::soc().hbm >> 20);
  for (int device = 0; device < toprope::device_count(); ++device) {
    fmt::print("| {:<5} {:<19} | {:<13} | {:<11} {:<17} {:<20} |\n", device, names().chip, "OK", "-", "-",
               "0    / 0");
    fmt::print("| {:<25} | {:<13} | {:<11} {:<17} {:<20} |\n", 0, fmt::format("0000:{:02X}:00.0", device + 1),
               0, "0    / 0", memory);
    fmt::print("{}", heavy);
  }
  fmt::print(
      "+---------------------------+---------------+----------------------------------------------------+\n");
  fmt::print("| {:<25} | {:<13} | {:<24} | {:<23} |\n", "NPU     Chip", "Process id", "Process name",
             "Process memory(MB)");
  fmt::print("{}", heavy);
  for (int device = 0; device < toprope::device_count(); ++device) {
    fmt::print("| {:<94} |\n", fmt::format("No running processes found in NPU {}", device));
    fmt::print("{}", heavy);
  }
}

void print_list() {
  line("Total Count", std::to_string(toprope::device_count()));
  for (int device = 0; device < toprope::device_count(); ++device) {
    fmt::print("\n");
    line("NPU ID", std::to_string(device));
    line("Chip Count", "1");
  }
}

void print_map() {
  const auto row = [](auto a, auto b, auto c, auto d) {
    fmt::print("\t{:<30} {:<30} {:<30} {}\n", a, b, c, d);
  };
  row("NPU ID", "Chip ID", "Chip Logic ID", "Chip Name");
  for (int device = 0; device < toprope::device_count(); ++device) {
    const Names known = names();
    row(device, 0, device, known.npu == "NA" ? "Ascend " + known.chip : known.chip);
  }
}

int print_board(int device) {
  if (device < 0 || device >= toprope::device_count()) {
    fmt::print(stderr, "npu-smi: error: -i {}: the devices are 0..{} (TOPROPE_DEVICES)\n", device,
               toprope::device_count() - 1);
    return 1;
  }
  line("NPU ID", std::to_string(device));
  line("Chip ID", "0");
  line("Chip Type", "Ascend");
  line("Chip Name", names().chip);
  line("NPU Name", names().npu);
  line("Software Version", TOPROPE_VERSION);
  return 0;
}

int refuse(std::string_view argument) {
  fmt::print(stderr, "npu-smi: error: '{}' is not known here\n{}", argument, kHelp);
  return 1;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0] == "-h" || arguments[0] == "--help") {
    fmt::print("{}", kHelp);
    return 0;
  }
  if (arguments[0] == "-v" || arguments[0] == "--version") {
    fmt::print("npu-smi version: {} (Toprope)\n", TOPROPE_VERSION);
    return 0;
  }
  if (arguments[0] != "info") {
    return refuse(arguments[0]);
  }
  std::string type;
  int device = -1;
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string& flag = arguments[i];
    if (flag == "-l" || flag == "-m" || flag == "-h") {
      flag == "-l" ? print_list() : flag == "-m" ? print_map() : fmt::print("{}", kHelp);
      return 0;
    }
    if ((flag != "-t" && flag != "-i" && flag != "-c") || i + 1 == arguments.size()) {
      return refuse(flag);
    }
    const std::string& value = arguments[++i];
    if (flag == "-t") {
      type = value;
      continue;
    }
    char* end = nullptr;
    const long number = std::strtol(value.c_str(), &end, 10);
    if (value.empty() || *end != '\0' || (flag == "-c" && number != 0)) {
      return refuse(flag + " " + value);
    }
    device = flag == "-i" ? static_cast<int>(number) : device;
  }
  if (type.empty() && device < 0) {
    print_table();
    return 0;
  }
  return type == "board" ? print_board(device) : refuse("-t " + type);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "npu-smi: error: {}\n", error.what());
    return 1;
  }
}
