#include "acl_rtc/program.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "acl/error_codes/acl_error_codes.h"
#include "acl_rtc/cache.h"
#include "driver/compile.h"
#include "driver/launch_headers.h"
#include "driver/options.h"
#include "driver/process.h"
#include "driver/rewrite.h"
#include "toprope/driver/entries.h"

namespace fs = std::filesystem;

namespace toprope::rtc {
namespace {

/// The prefix that this library lies in.
fs::path prefix() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&prefix), &info) || !info.dli_fname)
    throw std::runtime_error("aclrtc: cannot find the directory that libacl_rtc.so lies in");
  return fs::canonical(info.dli_fname).parent_path().parent_path();
}

/// Changes whenever another Toprope would compile.
std::string version(const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}", file.string(), time, error ? 0 : fs::file_size(file, error));
}

/// A kernel as C++ names it from the global namespace.
std::string global_name(std::string name) {
  while (!name.empty() && (name.front() == '&' || name.front() == ' ')) name.erase(0, 1);
  return name.rfind("::", 0) == 0 ? name : "::" + name;
}

std::string file_name(const std::string& name) {
  std::string out;
  for (const char c : name)
    out += std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ? c : '_';
  return out.size() > 4 && out.compare(out.size() - 4, 4, ".asc") == 0 ? out : out + ".asc";
}

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("aclrtc: cannot write " + path.string());
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Program::Program(std::string source, std::string name, std::vector<Header> headers)
    : source_(std::move(source)), name_(std::move(name)), headers_(std::move(headers)) {}

// The source with a table of its kernels: those that are no templates, and those that were asked for.
std::string Program::text() const {
  std::string table;
  const auto add = [&](const std::string& name, uint32_t line) {
    table += fmt::format("  ::toprope::kernel_entry<&{}>({{{}, {}, {}}}),\n", global_name(name),
                         driver::string_literal(name), driver::string_literal(name_), line);
  };
  const driver::Source source(source_, name_);
  for (const driver::Kernel& kernel : driver::rewrite(source_, name_).kernels)
    if (driver::has_launch_function(kernel))
      add(kernel.scope.empty() ? kernel.name : kernel.scope + "::" + kernel.name,
          source.position(kernel.offset).line);
  for (const std::string& name : names_) add(name, 1);
  return fmt::format(
      "#line 1 {0}\n{1}\n"
      "#line 1 \"<kernels of {2}>\"\n"
      "#include \"toprope/driver/entries.h\"\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) const ::toprope::KernelEntry {3}[];\n"
      "extern \"C\" const ::toprope::KernelEntry {3}[] = {{\n{4}  {{}}}};\n",
      driver::string_literal(name_), source_, file_name(name_), kernel_table_symbol, table);
}

std::string Program::key(const std::vector<std::string>& options) const {
  const fs::path where = prefix();
  std::string key = version(where / "bin" / "bisheng") + "\n" + version(where / "lib64" / "libtoprope.so") +
                    "\n" + version(where / "include" / "ascendc" / "kernel_operator.h") + "\n";
  for (const std::string& word : driver::host_compiler()) key += word + " ";
  // Lengths keep two lists of texts apart that read the same when joined.
  const auto add = [&](const std::string& part) { key += fmt::format("\n{} {}", part.size(), part); };
  for (const std::string& option : options) add(option);
  for (const auto& [name, header] : headers_) {
    add(name);
    add(header);
  }
  add(text());
  return key;
}

bool Program::build(const fs::path& directory, const std::vector<std::string>& options) {
  const fs::path source = directory / file_name(name_);
  write_file(source, text());
  for (const auto& [name, header] : headers_) write_file(directory / "include" / name, header);
  std::vector<std::string> command{(prefix() / "bin" / "bisheng").string(), "-std=c++17", "-shared", "-fPIC"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"-I" + (directory / "include").string(), source.string(), "-o",
                                 (directory / "kernels.so").string()});
  const driver::Finished done = driver::run(command, true);
  write_file(directory / "log", done.errors);
  return done.status == 0;
}

aclError Program::compile(const std::vector<std::string>& options) {
  tried_ = true;
  lowered_.clear();
  try {
    std::vector<std::string> command = options;
    command.push_back(file_name(name_));
    driver::parse(command);
  } catch (const driver::UsageError& error) {
    log_ = error.what();
    return ACL_ERROR_RTC_INVALID_OPTION;
  }
  const Kept kept =
      find_or_make(key(options), [&](const fs::path& directory) { return build(directory, options); });
  log_ = read_file(kept.directory / "log");
  const fs::path library = kept.directory / "kernels.so";
  if (!fs::exists(library)) {
    const bool linking = log_.find("undefined reference") != std::string::npos;
    return linking ? ACL_ERROR_RTC_LINKING : ACL_ERROR_RTC_COMPILATION;
  }
  library_ = library;
  lifetime_ = kept.lifetime;
  const std::string bytes = read_file(library);
  binary_.assign(bytes.begin(), bytes.end());
  return ACL_SUCCESS;
}

const char* Program::lowered(const std::string& name) {
  for (const auto& [asked, answer] : lowered_)
    if (asked == name) return answer.c_str();
  void* library = dlopen(library_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::runtime_error(std::string("aclrtc: ") + dlerror());
  const char* answer = nullptr;
  const auto* entry = static_cast<const KernelEntry*>(dlsym(library, kernel_table_symbol));
  for (; entry && entry->function; ++entry) {
    if (name != entry->site.kernel) continue;
    Dl_info info;
    const bool exported =
        dladdr(entry->function, &info) && info.dli_sname && info.dli_saddr == entry->function;
    answer = lowered_.emplace_back(name, exported ? info.dli_sname : name).second.c_str();
    break;
  }
  dlclose(library);
  return answer;
}

}  // namespace toprope::rtc
