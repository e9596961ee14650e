# says: summarize is not in /nowhere: build Weft with `cargo build --release` or set Weft_EXECUTABLES_DIR to its folder.
set(Weft_EXECUTABLES_DIR /nowhere)
find_package(Weft REQUIRED)
