// Types that C++ and Rust share, and checks that both lay them out alike.
//
// Each structure of this kind has a constant of its size and of the offset of each field. The Rust
// file with the structure has the same line, and both sides check their structure against it.

#pragma once

#include <cstddef>
#include <cstring>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace weft {

// Bytes that the caller keeps during a call. `Bytes` in src/text.rs.
struct Bytes {
  const char *Start;
  size_t Length;

  operator llvm::StringRef() const { return llvm::StringRef(Start, Length); }
};
constexpr size_t BytesLayout[] = {16, 0, 8};
static_assert(sizeof(Bytes) == BytesLayout[0] && offsetof(Bytes, Start) == BytesLayout[1] &&
              offsetof(Bytes, Length) == BytesLayout[2]);

// A text for Rust, which frees it by `weft_free`.
inline char *copyOf(const std::string &Text) { return strdup(Text.c_str()); }

} // namespace weft
