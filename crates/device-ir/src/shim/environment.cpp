// The part of the work on the environment that needs C++. The rest is in src/environment.rs.

#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <unistd.h>

namespace {

// Names the file of the program's coverage, and is read by the compiler's runtime.
constexpr const char *Profile = "LLVM_PROFILE_FILE=";

// LLVM reads variables in initializers of static variables, before `main`
// could remove them: the name that overrides its own in the symbol table of
// each bitcode file (IRSymtab.cpp) is one. A priority of 101 is the first that
// is not the C library's, and comes before all initializers without one.
__attribute__((constructor(101))) void forgetVariablesOfLLVM() {
  for (char **Variable = environ; Variable && *Variable;) {
    const char *End = strchr(*Variable, '=');
    bool IsLLVMs = strncmp(*Variable, "LLVM_", 5) == 0 && End &&
                   strncmp(*Variable, Profile, strlen(Profile)) != 0;
    if (!IsLLVMs) {
      ++Variable;
      continue;
    }
    // The variables behind it move up.
    std::string Name(*Variable, size_t(End - *Variable));
    if (unsetenv(Name.c_str()) != 0)
      ++Variable;
  }
}

} // namespace

extern "C" {

// glibc before 2.32 does not say it, and is asked by name: the executables start there, too.
bool weft_is_single_threaded() {
  const void *Known = dlsym(RTLD_DEFAULT, "__libc_single_threaded");
  return !Known || *static_cast<const char *>(Known);
}

} // extern "C"
